// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QProcess>
#include <QStringList>

namespace lk::test {

class RedisServer;

/// A scenario of tests/clients: a real client library in a process of its own. It prints one line
/// of JSON when what it makes is there, and one for each command. Killed with this object, and by
/// the system should the test crash.
class ClientProcess final
{
public:
    explicit ClientProcess(const RedisServer& server);
    ~ClientProcess();
    ClientProcess(const ClientProcess&) = delete;
    ClientProcess& operator=(const ClientProcess&) = delete;

    /// Starts "js/bullmq.js" (below tests/clients; its extension selects the interpreter) and waits
    /// for its first line. Empty if there is none or it reports an error; see output().
    QJsonObject start(const QString& script, const QStringList& arguments);
    /// Writes one line and waits for the answer; empty as above.
    QJsonObject ask(const QByteArray& command);
    void die(); ///< by SIGKILL: no clean-up of the library runs

    const char* output() const { return m_output.constData(); }

    /// The reason why the scenarios of that interpreter ("js") cannot run here; empty if they can.
    /// A machine that must run them (LOCKKEEPER_CLIENTS_REQUIRED=1) fails where others skip.
    static QString missing(const QString& folder);
    static bool required();

private:
    QJsonObject answer();

    QProcess m_process;
    QByteArray m_output; ///< all lines so far and what was said on standard error
};

} // namespace lk::test

/// First in initTestCase() of a test of the label "clients".
#define LK_NEEDS_CLIENTS(folder) LK_NEEDS_CLIENTS_OF(QStringLiteral(folder))
/// The same for a folder that a row names.
#define LK_NEEDS_CLIENTS_OF(folder)                                                                \
    do {                                                                                           \
        const QString missing = lk::test::ClientProcess::missing(folder);                          \
        if (!missing.isEmpty() && lk::test::ClientProcess::required())                             \
            QFAIL(qPrintable(QStringLiteral("clients are required: ") + missing));                 \
        if (!missing.isEmpty())                                                                    \
            QSKIP(qPrintable(QStringLiteral("clients missing: ") + missing));                      \
    } while (false)
