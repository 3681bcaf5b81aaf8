"""Where the server listens: on which addresses, at which port, and under which origins it is then reached."""

from __future__ import annotations

import errno
import ipaddress
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from sandtable.serve.config import PORT, BadConfig, Config
from sandtable.serve.origins import LOOPBACK, Origin, check_listening, is_loopback

TRIES = 20  # ports in a row that may be taken
BACKLOG = 512
# Nothing is sent there: the system only says from which address it would.
ELSEWHERE = ("192.0.2.1", "10.255.255.254", "172.31.255.254", "192.168.255.254", "169.254.255.254")
ANY = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}


def listen(config: Config) -> tuple[Config, list[socket.socket], list[int]]:
    """Open sockets, what the configuration became by that, and the ports that strangers had."""
    check_listening(config)
    hosts = [config.host.strip("[]")]
    friends = network_addresses() if config.lan else []
    if config.lan and not friends:
        raise BadConfig("this machine has no address in a local network; name one with --host and --origin")
    hosts += [address for address in friends if address not in hosts and hosts[0] not in ANY]
    taken = []
    for wished in _ports(config):
        try:
            sockets = _bind(hosts, wished)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES) or (error.errno == errno.EACCES and wished < 1_024):
                raise BadConfig(f"cannot listen on {', '.join(hosts)}, port {wished}: {error.strerror}") from None
            taken.append(wished)
            continue
        port = int(sockets[0].getsockname()[1])
        return _resolved(config, port, friends), sockets, [number for number in taken if number]
    ports = f"port {taken[0]} is" if len(set(taken)) == 1 else f"ports {taken[0]} to {taken[-1]} are"
    raise BadConfig(f"{ports} taken by other programs; choose one with --port")


def _ports(config: Config) -> Iterator[int]:
    if config.port == 0:
        yield from [0] * TRIES  # every address must have the same one free
    elif config.port is not None and config.origins:
        yield config.port  # a proxy looks there and nowhere else
    else:
        first = PORT if config.port is None else config.port
        yield from range(first, min(first + TRIES, 65_536))


def _bind(hosts: list[str], port: int) -> list[socket.socket]:
    """One listening socket a host, all at the same port, or none at all."""
    sockets: list[socket.socket] = []
    try:
        for host in hosts:
            chosen = port or (sockets[0].getsockname()[1] if sockets else 0)
            family, kind, proto, _, address = socket.getaddrinfo(
                host or "0.0.0.0", chosen, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            sock = socket.socket(family, kind, proto)  # asyncio switches Nagle's 40 ms off only where it reads TCP here
            sockets.append(sock)
            if sys.platform == "win32":  # there SO_REUSEADDR would share the port with a stranger
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
            else:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind(address)
            sock.listen(BACKLOG)  # only now is it ours
    except socket.gaierror:
        _close(sockets)
        raise BadConfig(f"{hosts[len(sockets)]!r} is no address of this machine") from None
    except OSError:
        _close(sockets)
        raise
    return sockets


def _close(sockets: list[socket.socket]) -> None:
    for sock in sockets:
        sock.close()


def _resolved(config: Config, port: int, friends: list[str]) -> Config:
    """With the port that was found, and the origins that follow from it."""
    host = config.host.strip("[]").lower()
    named = f"[{host}]" if ":" in host else host
    more = friends if named in LOOPBACK or not is_loopback(host) else [named, *friends]
    return replace(config, port=port, origins=(*config.origins, *(str(Origin("http", name, port)) for name in more)))


def local_address(config: Config) -> str:
    """The address to type on this machine."""
    host = config.host.strip("[]")
    host = ANY.get(host, host)
    return str(Origin("http", f"[{host}]" if ":" in host else host, config.port or 0))


def network_addresses() -> list[str]:
    """This machine's IPv4 addresses in local networks. Public ones are not meant by --lan."""
    found: dict[str, None] = {}
    for there in ELSEWHERE:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            asked.connect((there, 9))
            found[asked.getsockname()[0]] = None
    with suppress(OSError):
        for told in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_STREAM):
            found[str(told[4][0])] = None
    addresses = (ipaddress.ip_address(text) for text in found)
    return [str(one) for one in addresses if not (one.is_global or one.is_loopback or one.is_unspecified)]
