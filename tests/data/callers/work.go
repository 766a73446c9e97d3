// Says which share of its time is below first(), whose callee compares slices.
package main

import (
	"bytes"
	"fmt"
	"syscall"
)

var a, b = make([]byte, 1<<16), make([]byte, 1<<16)
var sink int

func now() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

//go:noinline
func compares() {
	for i := 0; i < 2000; i++ {
		sink += bytes.Compare(a, b)
	}
}

//go:noinline
func spins() {
	for i := 0; i < 2000000; i++ {
		sink += i
	}
}

func repeat(f func(), seconds float64) float64 {
	start := now()
	for now()-start < seconds {
		f()
	}
	return now() - start
}

//go:noinline
func first() float64 {
	return repeat(compares, 0.9) + float64(sink&0)
}

func main() {
	time := first()
	repeat(spins, 0.6)
	fmt.Printf("%.2f\n", 100*time/now())
}
