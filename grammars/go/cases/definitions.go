//go:build linux

// Package shapes has points.
package shapes

import (
	"fmt"
)

// Max is how many there are.
const Max = 10

// The colors.
const (
	// Red is first.
	Red = iota // zero
	Green
	dark, light = 1, 2
)

var x, y int = 1, 2

var (
	name string
	// double doubles.
	double = func(a int) int { return 2 * a }
)

const (
	Bare = 1
)

type (
	Plain struct{ n int }
	Other int
)

var (
	one = 1
)

// Point is a place.
type Point struct {
	X, Y int `json:"x"` // both
	*Base
	other.Other
	// inner has no name of its own.
	inner struct {
		a int
	}
	call func(int) error
}

type (
	// Shape has an area.
	Shape interface {
		fmt.Stringer
		~int | ~string
		// Area is how much.
		Area(x int) (float64, error)
	}
	Alias             = map[string]int
	Gen[T any, U comparable] struct{ t T }
)

type ID int
type Handler func(w Writer, r *Request)
type Same = Point

// New makes one.
func New(x int) *Point { return &Point{X: x} }

// Run runs.
func (p *Point) Run(
	x int,
) (err error) {
	return nil
}

func (Point) Run2() {}

func Map[T, U any](s []T, f func(T) U) []U { return nil }

func external(x int)
