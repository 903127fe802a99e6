package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"

	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// readSpec reads a package schema from a JSON file.
func readSpec(path string) (*schema.PackageSpec, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w; make it with `pulumi-gen-aws-native export schema -o FILE`", err)
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, fmt.Errorf("%s is no package schema: %w", path, err)
	}
	return &spec, nil
}

// loader knows the one package under check and refuses all others, so that nothing is downloaded.
type loader struct {
	reference schema.PackageReference
}

// newLoader binds the schema of the package. Nothing is checked that `make check-sdk` checks.
func newLoader(spec *schema.PackageSpec) (*loader, error) {
	loader := &loader{}
	// The published package refers to the type of its `region` setting in lower case, which leads nowhere.
	options := schema.ValidationOptions{AllowDanglingReferences: true}
	pkg, diagnostics, err := schema.BindSpec(*spec, loader, options)
	if err != nil {
		return nil, fmt.Errorf("cannot bind the schema: %w", err)
	}
	for _, diagnostic := range diagnostics {
		if diagnostic.Severity == hcl.DiagError {
			return nil, fmt.Errorf("cannot bind the schema: %s: %s", diagnostic.Summary, diagnostic.Detail)
		}
	}
	loader.reference = pkg.Reference()
	return loader, nil
}

// check reads and binds an example, and returns every finding of the YAML host, warnings included.
func (l *loader) check(example example) ([]string, error) {
	source := "name: example\nruntime: yaml\n" + example.yaml
	template, findings, err := pulumiyaml.LoadYAMLBytes("Pulumi.yaml", []byte(source))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", example.name(), err)
	}
	if findings.HasErrors() {
		return texts(findings), nil
	}
	_, bound, err := pulumiyaml.PrepareTemplate(template, nil, pulumiyaml.NewPackageLoaderFromSchemaLoader(l))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", example.name(), err)
	}
	return texts(append(findings, bound...)), nil
}

func texts(findings syntax.Diagnostics) []string {
	texts := make([]string, 0, len(findings))
	for _, finding := range findings {
		text := finding.Summary
		if finding.Detail != "" && finding.Detail != finding.Summary {
			text += ": " + finding.Detail
		}
		if finding.Subject != nil {
			// The two lines that were put before the example do not count.
			text = fmt.Sprintf("line %d: %s", finding.Subject.Start.Line-2, text)
		}
		texts = append(texts, text)
	}
	return texts
}

var errOtherPackage = errors.New("an example uses another package, which this tool does not load")

func (l *loader) find(name string) (schema.PackageReference, error) {
	if l.reference == nil || name != l.reference.Name() {
		return nil, fmt.Errorf("%s: %w", name, errOtherPackage)
	}
	return l.reference, nil
}

func (l *loader) LoadPackage(string, *semver.Version) (*schema.Package, error) {
	return nil, errOtherPackage
}

func (l *loader) LoadPackageV2(context.Context, *schema.PackageDescriptor) (*schema.Package, error) {
	return nil, errOtherPackage
}

func (l *loader) LoadPackageReference(name string, _ *semver.Version) (schema.PackageReference, error) {
	return l.find(name)
}

func (l *loader) LoadPackageReferenceV2(
	_ context.Context, descriptor *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return l.find(descriptor.Name)
}
