// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redisserver.h"

#include <QTest>

/// In a test function: the server is to be one that tests/servers/install unpacked, as
/// "valkey-9.1". Skips the test where it is not there; fails it with LOCKKEEPER_SERVERS_REQUIRED=1.
#define LK_USE_SERVER(server, name)                                                                \
    do {                                                                                           \
        const QString lkProgram = lk::test::installedServer(QStringLiteral(name));                 \
        if (lkProgram.isEmpty() && qEnvironmentVariableIntValue("LOCKKEEPER_SERVERS_REQUIRED"))    \
            QFAIL(name " is not there; see tests/servers/install");                                \
        if (lkProgram.isEmpty())                                                                   \
            QSKIP(name " is not there: run tests/servers/install");                                \
        (server).setProgram(lkProgram);                                                            \
    } while (false)
