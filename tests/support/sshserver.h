// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QString>
#include <QTemporaryDir>

namespace lk::test {

/// An sshd of a test's own on a free port of 127.0.0.1, with its own keys, and a folder with an
/// "ssh" that knows it by these names:
///   jump      lets this user in
///   second    the same, reached through jump (ProxyJump)
///   stranger  whose host key is not known
///   keyless   for which this user has no key
///   strict    lets in, and forwards nowhere
/// useIt() puts that folder first in PATH: whatever runs ssh then uses this configuration alone.
/// Killed with this object, and by the system should the test crash.
class SshServer final
{
public:
    ~SshServer();

    /// Waits until it listens; false with output() saying why.
    bool start();
    /// With the same port and keys.
    bool startAgain();
    void stop();
    void useIt() const;

    quint16 port() const { return m_port; }
    const char* output() const { return m_output.constData(); }
    QString file(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    /// How many ssh processes this one has started that are still there.
    static int clients();

private:
    bool makeKey(const char* name);
    bool write(const char* name, const QByteArray& text);

    QTemporaryDir m_folder;
    QProcess m_process;
    QByteArray m_output;
    quint16 m_port = 0;
};

} // namespace lk::test
