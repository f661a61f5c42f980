"""The server that plays recordings, and what is held of an SDK that reads them."""

import subprocess
import sys


class Server:
    """The server of server.rs, while a `with` lasts."""

    def __enter__(self):
        self.process = subprocess.Popen([sys.argv[1]], stdout=subprocess.PIPE, text=True)
        port = self.process.stdout.readline().strip()
        assert port.isdigit(), "the server has started"
        self.url = f"http://127.0.0.1:{port}"
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def drain(stream):
    """Reads a stream to its end: how many events there were, and what was raised."""
    count = 0
    try:
        for _ in stream:
            count += 1
    except Exception as error:  # which one, the caller says
        return count, error
    return count, None


def hold(name, read, event_error, body_error):
    """Holds that an SDK raises where the tap has cut, and nowhere else. `read` takes what stands behind the host."""
    whole, error = drain(read(f"{name}/whole/watched"))
    assert whole > 3 and error is None, (name, whole, error)
    for way in ("error_event", "body_error"):
        count, error = drain(read(f"{name}/whole/{way}"))
        assert (count, error) == (whole, None), (name, way, count, error)

    # Alone the SDK sees nothing of a text that breaks, nor of an end that comes too early.
    count, error = drain(read(f"{name}/broken/watched"))
    assert (count, error) == (whole, None), (name, count, error)
    cut, error = drain(read(f"{name}/broken/clean_cut"))
    assert 0 < cut < whole and error is None, (name, cut, error)

    for way, wanted in (("error_event", event_error), ("body_error", body_error)):
        count, error = drain(read(f"{name}/broken/{way}"))
        assert isinstance(error, wanted), (name, way, repr(error))
        # All events that stand in front of it have been read; when a connection breaks, the last may be lost on the way.
        assert count == cut or (way == "body_error" and 0 < count < cut), (name, way, count, cut)
        told = "thusfar_doomed" in str(error)
        assert told == (way == "error_event"), (name, way, str(error))
        print(f"{name}, {way}: raised {type(error).__name__} behind {count} of {whole} events: {error}")
