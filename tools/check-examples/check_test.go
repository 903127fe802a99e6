package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const sound = `resources:
  example:
    type: aws-native:sample:Thing
    properties:
      count: 1
      parts:
        - name: first
      policy:
        Version: "2012-10-17"
`

// Each example differs from the sound one in a single place.
func TestBrokenExamplesAreRefused(t *testing.T) {
	for _, test := range []struct{ name, old, new, expected string }{
		{"nothing is wrong", "", "", ""},
		{"an unknown property", "count: 1", "count: 1\n      size: 1", "line 6: Property size does not exist on 'aws-native:sample:Thing'"},
		{"an unknown member", "name: first", "name: first\n          title: x", "title"},
		{"a missing input", "      count: 1\n", "", "Missing required property 'count'"},
		{"a missing member", "name: first", "size: 1", "Missing required property 'name'"},
		{"a value of another type", "count: 1", "count: many", "count"},
		{"a value in place of a list", "\n        - name: first", " first", "parts"},
		{"an unknown resource", "sample:Thing", "sample:Thong", "aws-native:sample:Thong"},
		{"another package", "aws-native:sample:Thing", "random:index:Thing", "another package"},
		{"a reference to nothing", "name: first", "name: ${absent}", "absent"},
		{"no YAML", "resources:", "resources: [", "yaml"},
		{"no example", "```yaml", "```json", "has no example"},
	} {
		t.Run(test.name, func(t *testing.T) {
			page := "Text.\n\n```yaml\n" + sound + "```\n\nMore text."
			page = strings.Replace(page, test.old, test.new, 1)
			said, err := command(t, page)
			if (err != nil) != (test.expected != "") {
				t.Errorf("unexpected end: %v\n%s", err, said)
			}
			if !strings.Contains(said, test.expected) {
				t.Errorf("%q expected in:\n%s", test.expected, said)
			}
			if test.expected != "" && !strings.Contains(said, "aws-native:sample:Thing") {
				t.Errorf("the resource is not named:\n%s", said)
			}
		})
	}
}

func TestEveryExampleOfADescriptionIsChecked(t *testing.T) {
	broken := strings.Replace(sound, "count", "counts", 1)
	said, err := command(t, "```yaml\n"+sound+"```\n\n```yaml\n"+broken+"```")
	if err == nil || !strings.Contains(said, "aws-native:sample:Thing, example 2\n") || strings.Contains(said, "example 1") {
		t.Errorf("the second example should be refused: %v\n%s", err, said)
	}
}

func TestMistakesOnTheCommandLineAreNamed(t *testing.T) {
	for _, test := range []struct{ arguments, expected string }{
		{"", "--schema is needed"},
		{"--schema s more", "--schema is needed, and nothing else"},
		{"--schema absent.json", "make it with `pulumi-gen-aws-native export schema -o FILE`"},
		{"--schema main.go", "main.go is no package schema"},
	} {
		var said bytes.Buffer
		err := run(strings.Fields(test.arguments), &said, &said)
		if err == nil || !strings.Contains(err.Error(), test.expected) {
			t.Errorf("%q: %q expected: %v", test.arguments, test.expected, err)
		}
	}
}

// command checks a package of one resource with this description.
func command(t *testing.T, description string) (string, error) {
	t.Helper()
	kind := func(name string) schema.PropertySpec {
		return schema.PropertySpec{TypeSpec: schema.TypeSpec{Type: name}}
	}
	parts := schema.PropertySpec{TypeSpec: schema.TypeSpec{
		Type: "array", Items: &schema.TypeSpec{Ref: "#/types/aws-native:sample:Part"},
	}}
	inputs := map[string]schema.PropertySpec{
		"count": kind("integer"), "parts": parts,
		"policy": {TypeSpec: schema.TypeSpec{Ref: "pulumi.json#/Any"}},
	}
	spec := schema.PackageSpec{
		Name: "aws-native",
		Types: map[string]schema.ComplexTypeSpec{"aws-native:sample:Part": {ObjectTypeSpec: schema.ObjectTypeSpec{
			Type:       "object",
			Properties: map[string]schema.PropertySpec{"name": kind("string"), "size": kind("integer")},
			Required:   []string{"name"},
		}}},
		Resources: map[string]schema.ResourceSpec{"aws-native:sample:Thing": {
			ObjectTypeSpec:  schema.ObjectTypeSpec{Type: "object", Description: description},
			InputProperties: inputs,
			RequiredInputs:  []string{"count"},
		}},
	}
	text, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "schema.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	err = run([]string{"--schema", path}, &said, &said)
	return said.String(), err
}
