// Burns CPU in one known function, hotLoop, under pyroscope-go until its time (first argument, ms) is up or it is killed.
// The second argument is the upload interval in seconds.
package main

import (
	"context"
	"log"
	"math"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/grafana/pyroscope-go"
)

var (
	hotResult, quietResult float64
	kept                   [][]byte
	lock                   sync.Mutex
)

//go:noinline
func hotLoop(rounds int) float64 {
	x := 1.0
	for i := 0; i < rounds; i++ {
		x = math.Sqrt(x*float64(i) + 1)
	}
	return x
}

//go:noinline
func quietWork(rounds int) {
	x := 1.0
	for i := 0; i < rounds; i++ {
		x = math.Cbrt(x + float64(i))
	}
	quietResult = x
}

//go:noinline
func keepSomeMemory() {
	for i := 0; i < 64; i++ {
		kept = append(kept, make([]byte, 64*1024))
	}
	if len(kept) > 256 {
		kept = nil
	}
}

//go:noinline
func holdLock() {
	lock.Lock()
	time.Sleep(5 * time.Millisecond)
	lock.Unlock()
}

func main() {
	duration, err := strconv.Atoi(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	uploadSeconds, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	_, err = pyroscope.Start(pyroscope.Config{
		ApplicationName: os.Getenv("PYROSCOPE_APPLICATION_NAME"),
		ServerAddress:   os.Getenv("PYROSCOPE_SERVER_ADDRESS"),
		UploadRate:      time.Duration(uploadSeconds) * time.Second,
		Tags:            map[string]string{"deployment.environment": "test/real", "zone": "eu west 1", "team": "a+b"},
		ProfileTypes: append(pyroscope.DefaultProfileTypes, pyroscope.ProfileGoroutines,
			pyroscope.ProfileMutexCount, pyroscope.ProfileMutexDuration, pyroscope.ProfileBlockCount, pyroscope.ProfileBlockDuration),
	})
	if err != nil {
		log.Fatal(err)
	}
	for range 2 {
		go func() {
			for {
				holdLock()
				time.Sleep(5 * time.Millisecond)
			}
		}()
	}
	go func() {
		for {
			keepSomeMemory()
			quietWork(100_000)
			time.Sleep(50 * time.Millisecond)
		}
	}()
	end := time.Now().Add(time.Duration(duration) * time.Millisecond)
	pyroscope.TagWrapper(context.Background(), pyroscope.Labels("endpoint", "/hot path"), func(context.Context) {
		for time.Now().Before(end) {
			hotResult = hotLoop(1_000_000)
		}
	})
}
