// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/transport.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace lk;

/// A server that has no place says so and closes, sometimes before the client has said a word: why
/// it closed must not be lost with the socket.
class TestTurnedAway : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QVERIFY(m_folder.isValid());
        m_path = m_folder.filePath(QStringLiteral("socket"));
        const QByteArray name = QFile::encodeName(m_path);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        QVERIFY(size_t(name.size()) < sizeof(address.sun_path));
        std::copy(name.begin(), name.end(), address.sun_path);
        m_listening = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        QVERIFY(m_listening >= 0);
        QCOMPARE(::bind(m_listening, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        QCOMPARE(::listen(m_listening, 5), 0);
    }

    void cleanup()
    {
        ::close(m_listening);
        QFile::remove(m_path);
    }

    void whatWasSaidIsStillRead()
    {
        Transport transport(*parseServerUrl(QStringLiteral("unix://") + m_path));
        QSignalSpy failed(&transport, &Transport::failed);
        connect(&transport, &Transport::connected, this, [&] {
            turnAway();
            transport.write("PING\r\n");
        });
        transport.open();
        QTRY_COMPARE(failed.size(), 1);
        QByteArray read(said.size() + 10, '\0');
        read.truncate(transport.read(read.data(), read.size()));
        QCOMPARE(read, said);
    }

    void aClosedServerFails()
    {
        Transport transport(*parseServerUrl(QStringLiteral("unix://") + m_path));
        QSignalSpy failed(&transport, &Transport::failed);
        connect(&transport, &Transport::connected, this, [&] {
            ::close(::accept(m_listening, nullptr, nullptr));
            transport.write("PING\r\n");
        });
        transport.open();
        QTRY_COMPARE(failed.size(), 1);
        QCOMPARE(failed[0][0].value<Error>().code, ErrorCode::ServerClosed);
    }

private:
    void turnAway()
    {
        const int client = ::accept(m_listening, nullptr, nullptr);
        QVERIFY(client >= 0);
        QCOMPARE(::write(client, said.constData(), size_t(said.size())), said.size());
        ::close(client);
    }

    const QByteArray said = "-ERR max number of clients reached\r\n";
    QTemporaryDir m_folder;
    QString m_path;
    int m_listening = -1;
};

LK_TEST(TestTurnedAway);
#include "tst_turnedaway.moc"
