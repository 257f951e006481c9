// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/tlsfront.h"

#include "tests/support/freeport.h"

#include <QFile>

#include <csignal>
#include <sys/prctl.h>

namespace lk::test {

TlsFront::~TlsFront()
{
    stop();
}

bool TlsFront::makeCertificates()
{
    const auto openssl = [this](const char* arguments) {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.start(QStringLiteral("openssl"),
                      QString::fromLatin1(arguments).split(QLatin1Char(' ')));
        return process.waitForFinished() && process.exitCode() == 0;
    };
    QFile names(m_folder.filePath(QStringLiteral("names")));
    if (!names.open(QIODevice::WriteOnly))
        return false;
    names.write("subjectAltName=DNS:localhost,IP:127.0.0.1\n");
    names.close();
    return openssl("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key "
                   "-out ca.pem -days 2 -subj /CN=ca") &&
           openssl("req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout front.key -out "
                   "front.csr -subj /CN=localhost") &&
           openssl("x509 -req -in front.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out "
                   "front.pem -days 2 -extfile names");
}

bool TlsFront::start(const std::vector<quint16>& plainPorts)
{
    if (!makeCertificates())
        return false;
    QByteArray config = "foreground = yes\npid =\nsyslog = no\ncert = front.pem\nkey = front.key\n";
    for (const quint16 plain : plainPorts) {
        m_ports[plain] = freePort();
        config += "[to" + QByteArray::number(plain) +
                  "]\naccept = 127.0.0.1:" + QByteArray::number(m_ports[plain]) +
                  "\nconnect = 127.0.0.1:" + QByteArray::number(plain) + '\n';
    }
    QFile file(m_folder.filePath(QStringLiteral("stunnel.conf")));
    if (!file.open(QIODevice::WriteOnly) || file.write(config) != config.size())
        return false;
    file.close();
    m_process.setWorkingDirectory(m_folder.path());
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    m_process.start(QStringLiteral("stunnel"), {file.fileName()});
    while (!m_output.contains("Configuration successful")) {
        if (!m_process.waitForReadyRead(10'000))
            return false;
        m_output += m_process.readAll();
    }
    return true;
}

void TlsFront::stop()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill();
    m_process.waitForFinished();
}

} // namespace lk::test
