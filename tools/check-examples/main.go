// Command check-examples binds every example in the package schema as the Pulumi YAML language host would before running it:
// types, property names, value types and required inputs. It prints each example that does not bind with its findings.
//
// The generator checks its examples against its own idea of the types; this is the same question put to Pulumi.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

const usage = `usage: check-examples --schema FILE

Binds every YAML example in the descriptions of a package schema. Fails on any finding, and on a resource without example.
`

var errUsage = errors.New("wrong arguments")

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "check-examples:", err)
		if errors.Is(err, errUsage) {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("check-examples", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage) }
	path := flags.String("schema", "", "")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	if *path == "" || flags.NArg() > 0 {
		flags.Usage()
		return fmt.Errorf("%w: --schema is needed, and nothing else", errUsage)
	}
	spec, err := readSpec(*path)
	if err != nil {
		return err
	}
	loader, err := newLoader(spec)
	if err != nil {
		return err
	}
	examples, failures := collect(spec)
	for _, example := range examples {
		findings, err := loader.check(example)
		if err != nil {
			return err
		}
		if len(findings) > 0 {
			failures = append(failures, failure{example.name(), findings})
		}
	}
	report(stdout, failures)
	if len(failures) > 0 {
		return fmt.Errorf("%d of %d resources have an example that does not bind, or none", failed(failures), len(spec.Resources))
	}
	fmt.Fprintf(stdout, "%d examples of %d resources bind\n", len(examples), len(spec.Resources))
	return nil
}
