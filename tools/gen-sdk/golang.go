package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"runtime"
	"runtime/debug"
	"sort"
	"strings"
	"sync"
)

// goModule makes the module file of the published Go SDK, whose root is the folder above `go/`; the generator writes none.
// The SDK needs the engine's library in the version that the generator has.
func goModule() (files, error) {
	text := "module github.com/pulumi/pulumi-aws-native/sdk\n\ngo 1.25\n\nrequire (\n"
	for _, module := range []string{"github.com/blang/semver", "github.com/pulumi/pulumi/sdk/v3"} {
		version, err := moduleVersion(module)
		if err != nil {
			return nil, err
		}
		text += fmt.Sprintf("\t%s %s\n", module, version)
	}
	return files{"go.mod": []byte(text + ")\n")}, nil
}

// moduleVersion returns the version of a module that this program is built with.
func moduleVersion(module string) (string, error) {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dependency := range info.Deps {
			if dependency.Path == module {
				return dependency.Version, nil
			}
		}
	}
	return "", fmt.Errorf("this program does not know the version of %s it was built with; build it with `go build`", module)
}

// goFindings parses every Go file and names each declaration that a package has twice. The generator itself notices few of
// those, and compiling all packages takes many minutes and gigabytes.
func goFindings(made files) []string {
	packages := map[string][]string{}
	for _, name := range made.paths() {
		if path.Ext(name) == ".go" {
			packages[path.Dir(name)] = append(packages[path.Dir(name)], name)
		}
	}
	folders := make(chan string)
	var findings []string
	var lock sync.Mutex
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for folder := range folders {
				found := packageFindings(made, packages[folder])
				lock.Lock()
				findings = append(findings, found...)
				lock.Unlock()
			}
		})
	}
	for folder := range packages {
		folders <- folder
	}
	close(folders)
	workers.Wait()
	sort.Strings(findings)
	return findings
}

func packageFindings(made files, names []string) []string {
	var findings []string
	declared := map[string]string{}
	for _, name := range names {
		positions := token.NewFileSet()
		file, err := parser.ParseFile(positions, name, made[name], parser.SkipObjectResolution)
		if err != nil {
			findings = append(findings, err.Error())
			continue
		}
		for _, declaration := range file.Decls {
			for _, identifier := range declaredNames(declaration) {
				place := positions.Position(identifier.position).String()
				if first, ok := declared[identifier.name]; ok {
					findings = append(findings, fmt.Sprintf("%s: %s is declared already at %s", place, identifier.name, first))
					continue
				}
				declared[identifier.name] = place
			}
		}
	}
	return findings
}

// declaredName is a name that must be unique in its package. A method's name has its receiver's type before it.
type declaredName struct {
	name     string
	position token.Pos
}

func declaredNames(declaration ast.Decl) []declaredName {
	var names []declaredName
	add := func(prefix string, identifier *ast.Ident) {
		// Blank names and initializers may repeat.
		if identifier.Name != "_" && prefix+identifier.Name != "init" {
			names = append(names, declaredName{prefix + identifier.Name, identifier.Pos()})
		}
	}
	switch declaration := declaration.(type) {
	case *ast.FuncDecl:
		add(receiver(declaration), declaration.Name)
	case *ast.GenDecl:
		for _, spec := range declaration.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				add("", spec.Name)
			case *ast.ValueSpec:
				for _, identifier := range spec.Names {
					add("", identifier)
				}
			}
		}
	}
	return names
}

func receiver(declaration *ast.FuncDecl) string {
	if declaration.Recv == nil || len(declaration.Recv.List) == 0 {
		return ""
	}
	typ := declaration.Recv.List[0].Type
	if pointer, ok := typ.(*ast.StarExpr); ok {
		typ = pointer.X
	}
	if identifier, ok := typ.(*ast.Ident); ok {
		return strings.TrimSpace(identifier.Name) + "."
	}
	return ""
}
