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

func TestDanglingReferences(t *testing.T) {
	for _, test := range []struct{ reference, expected string }{
		{"aws-native:index:region", ""},
		{"aws-native:index:elsewhere", "type aws-native:index:elsewhere is referred to but not defined"},
	} {
		spec := specWith([]schema.EnumValueSpec{member("A", "a")})
		reference := schema.TypeSpec{Type: "string", Ref: "#/types/" + test.reference}
		spec.Provider = &schema.ResourceSpec{InputProperties: map[string]schema.PropertySpec{"region": {TypeSpec: reference}}}
		err := command(t, spec, t.TempDir())
		check(t, test.reference, err, test.expected)
	}
}

func TestMistakesOnTheCommandLineAreNamed(t *testing.T) {
	for _, test := range []struct{ arguments, expected string }{
		{"", "no language"},
		{"cobol --schema s --out o --version 1.0.0", `no SDK for "cobol"; known: python, nodejs, go, all`},
		{"go --schema s --out o --version one", `--version "one"`},
		{"go --schema s --version 1.0.0", "--schema and --out are needed"},
		{"go --schema absent.json --out o --version 1.0.0", "make it with `pulumi-gen-aws-native export schema -o FILE`"},
		{"go --schema main.go --out o --version 1.0.0", "main.go is no package schema"},
	} {
		var said bytes.Buffer
		check(t, test.arguments, run(strings.Fields(test.arguments), &said, os.Stderr), test.expected)
	}
}

func TestAnSdkReplacesTheOneBeforeIt(t *testing.T) {
	out := t.TempDir()
	stale := filepath.Join(out, "python", "stale.py")
	if err := writeFiles(out, files{"python/stale.py": nil, ".python.next/half.py": nil}); err != nil {
		t.Fatal(err)
	}
	if err := command(t, specWith([]schema.EnumValueSpec{member("A", "a")}), out); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stale); !os.IsNotExist(err) {
		t.Errorf("%s should be gone: %v", stale, err)
	}
	for _, expected := range []string{"README.md", "pyproject.toml", "pulumi_aws_native/py.typed", "pulumi_aws_native/sample/thing.py"} {
		if _, err := os.Stat(filepath.Join(out, "python", expected)); err != nil {
			t.Error(err)
		}
	}
	entries, err := os.ReadDir(out)
	if err != nil || len(entries) != 1 {
		t.Errorf("only the SDK should be left: %v %v", entries, err)
	}
}

func TestFilesStayInTheirFolder(t *testing.T) {
	check(t, "../outside", writeFiles(t.TempDir(), files{"../outside": nil}), "outside of the SDK")
}

func TestBudgets(t *testing.T) {
	const budgets = "# comment\npython\t10\t1000\t100\n"
	for _, test := range []struct {
		size     size
		expected string
	}{
		{size{10, 1000, 100, "a.py"}, ""},
		{size{11, 1000, 100, "a.py"}, "the python SDK has 11 files, its budget is 10"},
		{size{10, 1001, 100, "a.py"}, "has 1001 bytes, its budget is 1000"},
		{size{10, 1000, 101, "a.py"}, "has 101 bytes in a.py, its budget is 100"},
	} {
		check(t, test.expected, test.size.above("python", budgets), test.expected)
	}
	check(t, "go", size{}.above("go", budgets), "has no budget")
}

// A Go package with a huge file needs many gigabytes to compile.
func TestC80NoFileOfTheGoSdkMayGrowBeyondItsBudget(t *testing.T) {
	for _, row := range rows(budgetTable) {
		if row[0] == "go" {
			biggest := number(row[3])
			check(t, "go", size{1, 1, biggest + 1, "quicksight/pulumiTypes.go"}.above("go", budgetTable), "in quicksight/pulumiTypes.go, its budget is")
			if biggest > 6_000_000 {
				t.Errorf("a file of %d bytes is more than any published one", biggest)
			}
		}
	}
}

// Sizes decide how long an import and an editor take.
func TestC81ThePythonAndNodeSdksHaveBudgets(t *testing.T) {
	for _, language := range []string{"python", "nodejs"} {
		check(t, language, size{1 << 30, 1, 1, "a"}.above(language, budgetTable), "its budget is")
		check(t, language, size{1, 1 << 40, 1, "a"}.above(language, budgetTable), "its budget is")
	}
}

func TestTables(t *testing.T) {
	for name, table := range map[string]string{"budgets": budgetTable, "published": publishedTable} {
		for _, language := range languages {
			found := 0
			for _, row := range rows(table) {
				if row[0] == language.name {
					found++
				}
			}
			if found != 1 {
				t.Errorf("data/%s.tsv: %d rows for %s, one is right", name, found, language.name)
			}
		}
	}
	for _, row := range rows(budgetTable) {
		figures(t, row, 4, row[1:])
	}
	for _, row := range rows(publishedTable) {
		figures(t, row, 7, row[2:5])
	}
}

func figures(t *testing.T, row []string, columns int, texts []string) {
	t.Helper()
	if len(row) != columns {
		t.Errorf("%d columns, %d are right: %q", len(row), columns, row)
	}
	for _, text := range texts {
		if number(text) <= 0 {
			t.Errorf("%q is no positive number: %q", text, row)
		}
	}
}

func TestNamesThatGoDeclaresTwice(t *testing.T) {
	for _, test := range []struct {
		made     files
		expected string
	}{
		{files{"p/a.go": []byte("package p\nconst A = 1"), "q/a.go": []byte("package q\nconst A = 1")}, ""},
		{files{"p/a.go": []byte("package p\nfunc init() {}\nvar _ = 1\nvar _ = 2\nfunc init() {}")}, ""},
		{files{"p/a.go": []byte("package p\ntype T int\nfunc (T) M() {}\nfunc (*T) N() {}\nfunc M() {}")}, ""},
		{files{"p/a.go": []byte("package p\nconst A = 1"), "p/b.go": []byte("package p\ntype A int")}, "p/b.go:2:6: A is declared already at p/a.go:2:7"},
		{files{"p/a.go": []byte("package p\ntype T int\nfunc (T) M() {}\nfunc (*T) M() {}")}, "p/a.go:4:11: T.M is declared already at p/a.go:3:10"},
		{files{"p/a.go": []byte("package p\nconst = 1")}, "p/a.go:2:7: expected 'IDENT'"},
	} {
		found := strings.Join(goFindings(test.made), "\n")
		if !strings.HasPrefix(found, test.expected) || (test.expected == "") != (found == "") {
			t.Errorf("expected %q, found %q", test.expected, found)
		}
	}
}

// command makes the Python SDK of spec in out with the whole command.
func command(t *testing.T, spec *schema.PackageSpec, out string) error {
	t.Helper()
	text, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "schema.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	return run([]string{"python", "--schema", path, "--out", out, "--version", "1.2.3"}, &said, os.Stderr)
}

func check(t *testing.T, what string, err error, expected string) {
	t.Helper()
	if expected == "" {
		if err != nil {
			t.Errorf("%s: should succeed, but: %v", what, err)
		}
		return
	}
	if err == nil || !strings.Contains(err.Error(), expected) {
		t.Errorf("%s: should fail with %q, but: %v", what, expected, err)
	}
}
