// A small Go program: goroutines, channels, methods, closures, generics.
// SPDX-License-Identifier: MIT
package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
)

type job struct {
	id   int
	text string
}

type stage interface{ run(job) string }

type hasher struct{ rounds int }
type sorter struct{}

func (h *hasher) run(j job) string {
	sum := []byte(j.text)
	for i := 0; i < h.rounds; i++ {
		s := sha256.Sum256(sum)
		sum = s[:]
	}
	return fmt.Sprintf("%x", sum)
}

func (sorter) run(j job) string {
	words := strings.Fields(j.text)
	sort.Slice(words, func(a, b int) bool { return words[a] > words[b] })
	return strings.Join(words, " ")
}

//go:noinline
func apply[T any, R any](in []T, f func(T) R) []R {
	out := make([]R, 0, len(in))
	for _, v := range in {
		out = append(out, f(v))
	}
	return out
}

type crew struct {
	stages []stage
	done   sync.WaitGroup
	mu     sync.Mutex
	seen   map[string]int
}

func (c *crew) worker(jobs <-chan job) {
	defer c.done.Done()
	for j := range jobs {
		for _, s := range c.stages {
			c.note(s.run(j))
		}
	}
}

func (c *crew) note(result string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[result[:8]]++
}

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func main() {
	count := 4000
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	c := &crew{stages: []stage{&hasher{200}, sorter{}}, seen: map[string]int{}}
	jobs := make(chan job, 16)
	for i := 0; i < 3; i++ {
		c.done.Add(1)
		go c.worker(jobs)
	}
	for i := 0; i < count; i++ {
		numbers := make([]int, 120)
		for k := range numbers {
			numbers[k] = (i*7919 + k*104729) % 1000
		}
		jobs <- job{i, strings.Join(apply(numbers, strconv.Itoa), " ")}
	}
	close(jobs)
	c.done.Wait()
	func() { fmt.Println(fib(32), len(c.seen)) }()
}
