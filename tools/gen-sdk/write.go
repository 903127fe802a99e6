package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
)

// write puts an SDK into OUT/<language> whole: it is written into a folder beside it, which then takes the old one's place.
// An interruption leaves the old SDK, or the new one, and at worst a hidden folder that the next run removes.
func write(out string, l language, made files) error {
	target := filepath.Join(out, l.name)
	next, old := filepath.Join(out, "."+l.name+".next"), filepath.Join(out, "."+l.name+".old")
	if err := os.RemoveAll(next); err != nil {
		return err
	}
	if err := writeFiles(next, made); err != nil {
		return err
	}
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	if err := os.Rename(target, old); err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := os.Rename(next, target); err != nil {
		return fmt.Errorf("%w; the SDK before it is in %s", err, old)
	}
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	if l.beside == nil {
		return nil
	}
	beside, err := l.beside()
	if err != nil {
		return err
	}
	return writeFiles(out, beside)
}

func writeFiles(root string, made files) error {
	folders := map[string]bool{}
	for _, name := range made.paths() {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("the schema leads to a file outside of the SDK: %q", name)
		}
		if folder := path.Dir(name); !folders[folder] {
			if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
				return err
			}
			folders[folder] = true
		}
		if err := os.WriteFile(filepath.Join(root, name), made[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}
