package main

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// shownFailures is how many failures are printed; one mistake in a generator easily makes thousands.
const shownFailures = 50

// example is one program of a resource's description.
type example struct {
	token string
	// Counted from 1 within the description.
	number int
	yaml   string
}

func (e example) name() string { return fmt.Sprintf("%s, example %d", e.token, e.number) }

// failure is an example with what is wrong with it.
type failure struct {
	name     string
	findings []string
}

// collect returns the examples of all resources in order of token, and a failure for each resource without one.
func collect(spec *schema.PackageSpec) ([]example, []failure) {
	tokens := make([]string, 0, len(spec.Resources))
	for token := range spec.Resources {
		tokens = append(tokens, token)
	}
	sort.Strings(tokens)
	var examples []example
	var failures []failure
	for _, token := range tokens {
		programs := fences(spec.Resources[token].Description)
		if len(programs) == 0 {
			failures = append(failures, failure{token, []string{"has no example"}})
		}
		for index, yaml := range programs {
			examples = append(examples, example{token, index + 1, yaml})
		}
	}
	return examples, failures
}

// fences returns the contents of the blocks of YAML in a Markdown text.
func fences(markdown string) []string {
	const opening, closing = "```yaml\n", "\n```"
	var found []string
	for {
		_, rest, ok := strings.Cut(markdown, opening)
		if !ok {
			return found
		}
		block, after, _ := strings.Cut(rest, closing)
		found = append(found, block+"\n")
		markdown = after
	}
}

func report(out io.Writer, failures []failure) {
	for index, failure := range failures {
		if index == shownFailures {
			fmt.Fprintf(out, "and %d more\n", len(failures)-index)
			return
		}
		fmt.Fprintln(out, failure.name)
		for _, finding := range failure.findings {
			fmt.Fprintln(out, "  "+finding)
		}
	}
}

// failed counts the resources that the failures are about.
func failed(failures []failure) int {
	tokens := map[string]bool{}
	for _, failure := range failures {
		token, _, _ := strings.Cut(failure.name, ",")
		tokens[token] = true
	}
	return len(tokens)
}
