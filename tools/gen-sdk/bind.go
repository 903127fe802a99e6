package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"

	"github.com/pulumi/pulumi/pkg/v3/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// allowedDangling is the one reference to a type that may lead nowhere. The published package refers to the type of its
// `region` setting in lower case, so that SDKs show a plain string; the enum `Region` would change their signatures.
const allowedDangling = "aws-native:index:region"

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

// bind resolves and validates a package schema and returns, beside the package, every finding in order: the binder's
// diagnostics and each reference to a type of the package that does not exist, but for [allowedDangling].
//
// A package serves one generator only: the generators rename enum members in place.
func bind(spec *schema.PackageSpec, version semver.Version) (*schema.Package, []string, error) {
	// Generators need a package with the one dangling reference in it, so the binder must accept them; which ones there are
	// is found on the bound package.
	pkg, diagnostics, err := schema.BindSpec(*spec, noLoader, schema.ValidationOptions{AllowDanglingReferences: true})
	if err != nil {
		return nil, nil, fmt.Errorf("cannot bind the schema: %w", err)
	}
	findings := make([]string, 0, len(diagnostics))
	for _, diagnostic := range diagnostics {
		findings = append(findings, describe(diagnostic))
	}
	if pkg == nil {
		return nil, findings, nil
	}
	for _, token := range dangling(pkg) {
		if token != allowedDangling {
			findings = append(findings, fmt.Sprintf("error: type %s is referred to but not defined", token))
		}
	}
	pkg.Version = &version
	return pkg, findings, nil
}

func describe(diagnostic *hcl.Diagnostic) string {
	severity := "warning"
	if diagnostic.Severity == hcl.DiagError {
		severity = "error"
	}
	if diagnostic.Detail == "" || diagnostic.Detail == diagnostic.Summary {
		return severity + ": " + diagnostic.Summary
	}
	return severity + ": " + diagnostic.Summary + ": " + diagnostic.Detail
}

// dangling returns the tokens of types that the package refers to and does not define, in order. Tokens of built-in types
// (archives, assets, any, JSON) have no package and are bound to types of their own, so they do not appear here.
func dangling(pkg *schema.Package) []string {
	found := map[string]bool{}
	visit := func(typ schema.Type) {
		if token, ok := typ.(*schema.TokenType); ok {
			found[token.Token] = true
		}
	}
	visitAll := func(properties []*schema.Property) {
		codegen.VisitTypeClosure(properties, visit)
	}
	visitAll(pkg.Config)
	for _, resource := range append([]*schema.Resource{pkg.Provider}, pkg.Resources...) {
		visitAll(resource.Properties)
		visitAll(resource.InputProperties)
	}
	for _, function := range pkg.Functions {
		for _, object := range []*schema.ObjectType{function.Inputs, function.Outputs} {
			if object != nil {
				visitAll(object.Properties)
			}
		}
		if function.ReturnType != nil {
			codegen.VisitType(function.ReturnType, visit)
		}
	}
	for _, typ := range pkg.Types {
		codegen.VisitType(typ, visit)
	}
	tokens := make([]string, 0, len(found))
	for token := range found {
		tokens = append(tokens, token)
	}
	sort.Strings(tokens)
	return tokens
}

// noLoader refuses to load other packages. The schema refers to none, and asking the engine for one could download a plugin.
var noLoader schema.ReferenceLoader = refusingLoader{}

type refusingLoader struct{}

var errOtherPackage = errors.New("the schema refers to another package, which this tool does not load")

func (refusingLoader) LoadPackage(string, *semver.Version) (*schema.Package, error) {
	return nil, errOtherPackage
}

func (refusingLoader) LoadPackageV2(context.Context, *schema.PackageDescriptor) (*schema.Package, error) {
	return nil, errOtherPackage
}

func (refusingLoader) LoadPackageReference(string, *semver.Version) (schema.PackageReference, error) {
	return nil, errOtherPackage
}

func (refusingLoader) LoadPackageReferenceV2(context.Context, *schema.PackageDescriptor) (schema.PackageReference, error) {
	return nil, errOtherPackage
}
