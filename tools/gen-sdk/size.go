package main

import (
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

//go:embed data/budgets.tsv
var budgetTable string

//go:embed data/published.tsv
var publishedTable string

// size is what an SDK weighs on disk, without compression.
type size struct {
	files, bytes, biggest int
	biggestFile           string
}

func measure(made files) size {
	var total size
	for _, path := range made.paths() {
		bytes := len(made[path])
		total.files++
		total.bytes += bytes
		if bytes > total.biggest {
			total.biggest, total.biggestFile = bytes, path
		}
	}
	return total
}

// report shows the size of an SDK above the published one's, a line each.
func (s size) report(language string) string {
	text := s.line(language, "made")
	for _, row := range rows(publishedTable) {
		if row[0] == language {
			text += published(row).line(language, row[1])
		}
	}
	return text
}

func (s size) line(language, version string) string {
	return fmt.Sprintf("%-7s %-12s %6d files %6.1f MB, biggest %4.1f MB %s\n",
		language, version, s.files, megabytes(s.bytes), megabytes(s.biggest), s.biggestFile)
}

func megabytes(bytes int) float64 { return float64(bytes) / 1e6 }

// published reads a row of data/published.tsv.
func published(row []string) size {
	return size{number(row[2]), number(row[3]), number(row[4]), row[5]}
}

// exceeds names every figure of an SDK that is above its budget in data/budgets.tsv; nil if none is.
func (s size) exceeds(language string) error {
	return s.above(language, budgetTable)
}

func (s size) above(language, budgets string) error {
	for _, row := range rows(budgets) {
		if row[0] != language {
			continue
		}
		return errors.Join(
			over(language, "files", s.files, number(row[1])),
			over(language, "bytes", s.bytes, number(row[2])),
			over(language, "bytes in "+s.biggestFile, s.biggest, number(row[3])),
		)
	}
	return fmt.Errorf("the %s SDK has no budget in tools/gen-sdk/data/budgets.tsv; add a row", language)
}

func over(language, what string, is, budget int) error {
	if is <= budget {
		return nil
	}
	return fmt.Errorf("the %s SDK has %d %s, its budget is %d: make the schema smaller, or raise the budget in "+
		"tools/gen-sdk/data/budgets.tsv with a reason", language, is, what, budget)
}

// rows returns the columns of each line of a table that is neither empty nor a comment.
func rows(table string) [][]string {
	var found [][]string
	for line := range strings.Lines(table) {
		line = strings.TrimRight(line, "\n")
		if line != "" && !strings.HasPrefix(line, "#") {
			found = append(found, strings.Split(line, "\t"))
		}
	}
	return found
}

// number reads a figure of an embedded table. TestTables holds the tables to their form, so a figure is always one.
func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return value
}
