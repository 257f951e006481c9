// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTcpServer>

#include <unistd.h>

namespace lk::test {

/// A TCP port of this machine on which nothing listens, for a server that is about to start.
/// Below those that Linux gives to outgoing connections (32768 and up): what lies there may be
/// another program's before the server has begun to listen. Programs that run side by side begin
/// at different ones. 0 where none is free. In one thread.
inline quint16 freePort()
{
    constexpr int lowest = 10'240;
    constexpr int many = 22'000;
    static int next = int(::getpid() * 61LL % many);
    for (int tried = 0; tried < many; ++tried) {
        const quint16 port = quint16(lowest + next);
        next = (next + 1) % many;
        if (QTcpServer probe; probe.listen(QHostAddress::LocalHost, port))
            return port;
    }
    return 0;
}

} // namespace lk::test
