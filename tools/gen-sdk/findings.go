package main

import (
	"fmt"
	"strings"
)

// shownFindings is how many findings an error lists; one mistake in a schema easily makes thousands.
const shownFindings = 20

// findingsError says how many findings there are and lists the first of them. findings must not be empty.
func findingsError(findings []string) error {
	shown := findings
	more := ""
	if len(findings) > shownFindings {
		shown = findings[:shownFindings]
		more = fmt.Sprintf("\n  and %d more", len(findings)-shownFindings)
	}
	return fmt.Errorf("%d findings, none is allowed:\n  %s%s", len(findings), strings.Join(shown, "\n  "), more)
}
