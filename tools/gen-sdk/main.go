// Command gen-sdk makes the Python, Node and Go SDKs from the package schema, with the generators of the Pulumi engine that
// `pulumi package gen-sdk` uses. It is there for machines without Pulumi's language plugins, and it refuses a schema or an
// SDK that has something wrong with it: any finding of the schema's binder, a reference that leads nowhere, Go source that
// declares a name twice, and, if asked, an SDK larger than its budget.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/blang/semver"
)

const usage = `usage: gen-sdk python|nodejs|go|all --schema FILE --out FOLDER --version X.Y.Z [--check-budget]

Writes OUT/python, OUT/nodejs, OUT/go (with OUT/go.mod, as the published Go module is laid out).
`

// options is what the command line says.
type options struct {
	languages   []language
	schema, out string
	version     semver.Version
	checkBudget bool
}

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "gen-sdk:", err)
		if errors.Is(err, errUsage) {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

func run(args []string, stdout io.Writer, stderr *os.File) error {
	options, err := parse(args, stderr)
	if err != nil {
		return err
	}
	progress := newProgress(stderr)
	defer progress.clear()
	progress.show("reading " + options.schema)
	spec, err := readSpec(options.schema)
	if err != nil {
		return err
	}
	var exceeded []error
	for _, language := range options.languages {
		progress.show("binding the schema for " + language.name)
		// A fresh package each time, since generators rename enum members in place.
		pkg, findings, err := bind(spec, options.version)
		if err != nil {
			return err
		}
		if len(findings) > 0 {
			progress.clear()
			return fmt.Errorf("%s: %w", options.schema, findingsError(findings))
		}
		progress.show("generating " + language.name)
		made, err := language.run(pkg)
		if err != nil {
			return err
		}
		progress.show("writing " + language.name)
		if err := write(options.out, language, made); err != nil {
			return err
		}
		progress.clear()
		size := measure(made)
		fmt.Fprint(stdout, size.report(language.name))
		if options.checkBudget {
			exceeded = append(exceeded, size.exceeds(language.name))
		}
	}
	return errors.Join(exceeded...)
}

var errUsage = errors.New("wrong arguments")

func parse(args []string, stderr io.Writer) (options, error) {
	var parsed options
	flags := flag.NewFlagSet("gen-sdk", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage) }
	flags.StringVar(&parsed.schema, "schema", "", "")
	flags.StringVar(&parsed.out, "out", "", "")
	version := flags.String("version", "", "")
	flags.BoolVar(&parsed.checkBudget, "check-budget", false, "")
	if len(args) == 0 {
		flags.Usage()
		return options{}, fmt.Errorf("%w: no language", errUsage)
	}
	if err := flags.Parse(args[1:]); err != nil {
		return options{}, fmt.Errorf("%w: %w", errUsage, err)
	}
	if parsed.schema == "" || parsed.out == "" || flags.NArg() > 0 {
		flags.Usage()
		return options{}, fmt.Errorf("%w: --schema and --out are needed, and nothing else beside flags", errUsage)
	}
	var err error
	if parsed.languages, err = selectLanguages(args[0]); err != nil {
		return options{}, fmt.Errorf("%w: %w", errUsage, err)
	}
	if parsed.version, err = semver.Parse(*version); err != nil {
		return options{}, fmt.Errorf("%w: --version %q: %w", errUsage, *version, err)
	}
	parsed.out = filepath.Clean(parsed.out)
	return parsed, nil
}
