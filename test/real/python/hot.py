"""Burns CPU in one known function, hot_loop, under pyroscope-io until its time (first argument, ms) is up or it is killed.

The second argument is the upload interval in seconds.
"""
import os
import sys
import time

import pyroscope


def hot_loop(rounds):
    x = 1.0
    for i in range(rounds):
        x = (x * i + 1.0) ** 0.5
    return x


def quiet_work():
    end = time.monotonic() + 0.005
    while time.monotonic() < end:
        pass


pyroscope.configure(
    application_name=os.environ["PYROSCOPE_APPLICATION_NAME"],
    server_address=os.environ["PYROSCOPE_SERVER_ADDRESS"],
    upload_interval=int(sys.argv[2]),
    tags={"deployment.environment": "test/real", "zone": "eu west 1", "team": "a+b"},
)

end = time.monotonic() + int(sys.argv[1]) / 1000
while time.monotonic() < end:
    with pyroscope.tag_wrapper({"endpoint": "/hot path"}):
        turn_end = time.monotonic() + 0.05
        while time.monotonic() < turn_end:
            hot_loop(20_000)
    quiet_work()
