package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blang/semver"

	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// member is an enum member of a schema under test.
func member(name, value string) schema.EnumValueSpec {
	return schema.EnumValueSpec{Name: name, Value: value}
}

// The enums of broken SDKs. A cell is a text of the error that stops an SDK, in its generator or in its check; empty means
// that the SDK of this language survives the enum.
var brokenEnums = []struct {
	name                string
	members             []schema.EnumValueSpec
	python, nodejs, go_ string
}{
	{
		name:    "two members of one name",
		members: []schema.EnumValueSpec{member("Same", "a"), member("Same", "b")},
		python:  "SAME is defined already", nodejs: "multiple properties with the same name", go_: "ModeSame is declared already",
	},
	{
		name:    "an empty value without a name (devopsagent:ServiceMcpServerSigV4AuthorizationConfigRoleArn and …RoleArn1)",
		members: []schema.EnumValueSpec{member("", "")},
		python:  "invalid syntax", nodejs: "Property assignment expected", go_: "Name collision for enum constant: Mode",
	},
	{
		name:    "the name of Go's wrapper type (sagemaker:EndpointConfigCaptureOptionCaptureMode)",
		members: []schema.EnumValueSpec{member("Output", "Output"), member("Other", "Other")},
		go_:     "ModeOutput",
	},
}

func TestBrokenEnumsAreRefused(t *testing.T) {
	for _, broken := range brokenEnums {
		t.Run(broken.name, func(t *testing.T) {
			spec := specWith(broken.members)
			expect(t, "python", broken.python, sdkError(t, spec, "python", checkPython))
			expect(t, "nodejs", broken.nodejs, sdkError(t, spec, "nodejs", checkNodejs))
			expect(t, "go", broken.go_, sdkError(t, spec, "go", nil))
		})
	}
}

func TestSoundEnumsAreAccepted(t *testing.T) {
	spec := specWith([]schema.EnumValueSpec{member("Empty", ""), member("OutputType", "Output"), member("Other", "Other")})
	expect(t, "python", "", sdkError(t, spec, "python", checkPython))
	expect(t, "nodejs", "", sdkError(t, spec, "nodejs", checkNodejs))
	expect(t, "go", "", sdkError(t, spec, "go", nil))
}

func expect(t *testing.T, language, expected, found string) {
	t.Helper()
	if expected == "" && found != "" {
		t.Errorf("the %s SDK should be sound, but: %s", language, found)
	}
	if !strings.Contains(found, expected) {
		t.Errorf("the %s SDK should be refused with %q, but: %q", language, expected, found)
	}
}

// specWith makes a package of one resource with one property, whose type is an enum of these members.
func specWith(members []schema.EnumValueSpec) *schema.PackageSpec {
	mode := schema.PropertySpec{TypeSpec: schema.TypeSpec{Ref: "#/types/aws-native:sample:Mode"}}
	properties := map[string]schema.PropertySpec{"mode": mode}
	language := map[string]schema.RawMessage{
		"go":     schema.RawMessage(`{"importBasePath": "github.com/pulumi/pulumi-aws-native/sdk/go/aws"}`),
		"python": schema.RawMessage(`{"pyproject": {"enabled": true}}`),
	}
	return &schema.PackageSpec{
		Name:     "aws-native",
		Language: language,
		Types: map[string]schema.ComplexTypeSpec{"aws-native:sample:Mode": {
			ObjectTypeSpec: schema.ObjectTypeSpec{Type: "string"},
			Enum:           members,
		}},
		Resources: map[string]schema.ResourceSpec{"aws-native:sample:Thing": {
			ObjectTypeSpec:  schema.ObjectTypeSpec{Type: "object", Properties: properties},
			InputProperties: properties,
		}},
	}
}

// sdkError makes the SDK of one language as the command does, checks it with the check that `make check-sdk` uses, and
// returns what either says; empty if neither objects.
func sdkError(t *testing.T, spec *schema.PackageSpec, name string, check func(*testing.T, string) string) string {
	t.Helper()
	pkg, findings, err := bind(spec, semver.MustParse("1.2.3"))
	if err != nil || len(findings) > 0 {
		t.Fatalf("the schema itself must bind: %v %v", findings, err)
	}
	selected, err := selectLanguages(name)
	if err != nil {
		t.Fatal(err)
	}
	made, err := selected[0].run(pkg)
	if err != nil {
		return err.Error()
	}
	folder := t.TempDir()
	if err := writeFiles(folder, made); err != nil {
		t.Fatal(err)
	}
	if check == nil {
		return ""
	}
	return check(t, folder)
}

func checkPython(t *testing.T, folder string) string {
	script, err := filepath.Abs("../check-sdk/python/check.py")
	if err != nil {
		t.Fatal(err)
	}
	return output(exec.Command(setting(t, "CHECK_PYTHON"), script, folder))
}

func checkNodejs(t *testing.T, folder string) string {
	if err := os.Symlink(setting(t, "CHECK_NODE_MODULES"), filepath.Join(folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return output(exec.Command(setting(t, "CHECK_TSC"), "--project", folder, "--noEmit"))
}

// output returns what a failing command says, and nothing for one that succeeds.
func output(command *exec.Cmd) string {
	text, err := command.CombinedOutput()
	if err == nil {
		return ""
	}
	return err.Error() + ": " + string(text)
}

// setting is a path that `make check-sdk` passes. The checks are other people's programs in pinned versions, so there is no
// default that would be right.
func setting(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set; run this test with `make check-sdk`", name)
	}
	return value
}
