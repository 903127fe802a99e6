//go:build tools

// Package tools names the program that this module exists to build.
package tools

import _ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
