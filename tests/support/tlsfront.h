// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QString>
#include <QTemporaryDir>

#include <map>
#include <vector>

namespace lk::test {

/// A stunnel before servers that speak plain text: each is had over TLS at a port of its own, with
/// a certificate for localhost and 127.0.0.1 of an authority made for the occasion. Killed with
/// this object, and by the system should the test crash.
class TlsFront final
{
public:
    ~TlsFront();

    /// These alone, for servers that speak TLS themselves.
    bool makeCertificates();
    /// Waits until it listens for all of them.
    bool start(const std::vector<quint16>& plainPorts);
    void stop();

    quint16 portBefore(quint16 plainPort) const { return m_ports.at(plainPort); }
    QString caFile() const { return m_folder.filePath(QStringLiteral("ca.pem")); }
    QString certFile() const { return m_folder.filePath(QStringLiteral("front.pem")); }
    QString keyFile() const { return m_folder.filePath(QStringLiteral("front.key")); }
    const char* output() const { return m_output.constData(); }

private:
    QTemporaryDir m_folder;
    QProcess m_process;
    QByteArray m_output;
    std::map<quint16, quint16> m_ports;
};

} // namespace lk::test
