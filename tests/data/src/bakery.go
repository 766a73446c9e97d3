// A bakery that profiles itself: CPU, heap and mutex, for pprof -raw.
// SPDX-License-Identifier: MIT
package main

import (
	"context"
	"math"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"time"
)

type number interface{ ~int | ~float64 }

type oven struct {
	lock  sync.Mutex
	loafs []string
	heat  float64
}

var kept [][]byte

func sum[T number](values []T) (total T) {
	for _, value := range values {
		total += value
	}
	return total
}

func (o *oven) warm(n int) {
	values := make([]float64, n)
	for i := range values {
		values[i] = math.Sin(float64(i))
	}
	o.heat += sum(values)
}

func (o *oven) bake(name string) {
	o.lock.Lock()
	defer o.lock.Unlock()
	o.loafs = append(o.loafs, strings.Repeat(name, 200))
	for end := time.Now().Add(2 * time.Millisecond); time.Now().Before(end); {
		o.warm(1000)
	}
}

func knead(depth int) int {
	if depth == 0 {
		return 1
	}
	return 1 + knead(depth-1)
}

func write(name, file string) {
	f, err := os.Create(file)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if err := pprof.Lookup(name).WriteTo(f, 0); err != nil {
		panic(err)
	}
}

func main() {
	runtime.MemProfileRate = 65536
	runtime.SetMutexProfileFraction(1)
	cpu, err := os.Create("cpu.pb.gz")
	if err != nil {
		panic(err)
	}
	pprof.StartCPUProfile(cpu)
	o := &oven{}
	var bakers sync.WaitGroup
	for _, name := range []string{"rye bread", "spelt"} {
		bakers.Add(1)
		go func() {
			defer bakers.Done()
			pprof.Do(context.Background(), pprof.Labels("loaf", name), func(context.Context) {
				for i := 0; i < 30; i++ {
					o.bake(name)
					knead(i * 100)
				}
			})
		}()
	}
	bakers.Wait()
	kept = append(kept, make([]byte, 1<<20))
	pprof.StopCPUProfile()
	cpu.Close()
	write("mutex", "mutex.pb.gz")
	write("heap", "heap.pb.gz")
	kept = append(kept, make([]byte, 3<<20))
	runtime.GC()
	write("heap", "heap2.pb.gz")
}
