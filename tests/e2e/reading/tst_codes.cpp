// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/redactedname.h"
#include "tests/e2e/keyring.h"
#include "tests/e2e/program.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

/// A token's code is its key's name: nothing that the program prints or keeps has one, unless a
/// person asked for just that.
class TestCodes : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(m_keyring.start());
        m_server.addTcp();
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init()
    {
        m_server.flush();
        m_server.lines({"SET " + longCode + " p PX 600000",  // live
                        "SET code:Qx7Kp9Zt2Mw4BvN8Lc3R p",   // without a TTL: a finding
                        "SETEX " + shortCode + " 3600000 p", // for 41 days: another
                        "HSET user_token:Gh0st5d4s3aQw8rTy used_by 1",
                        "HSET user_token:Tw1ce8x7c6vQw8rTy meta x used_by 2",
                        "EXPIRE user_token:Tw1ce8x7c6vQw8rTy 600",
                        "HSET token:M1ddl3Qx7Kp9Zt2Mw4Bv:meta meta x used_by 0",
                        "SETEX otp-9c1d5b7a-20e4-f86b-3d19-aa55bb66cc77 600 p",
                        "SETEX invite:990234 600 a", "SETEX invite:990235 600 b",
                        "SETEX invite:990236 600 c", "SETEX invite:990237 600 d",
                        // Declared to be a hash and is none: its problem names the key.
                        "SET wrong:Wr0ngQx7Kp9Zt2Mw4Bv p PX 600000"});
    }

    void printsNone_data()
    {
        QTest::addColumn<QString>("line");
        QTest::newRow("snapshot") << u"snapshot"_s;
        QTest::newRow("snapshot as JSON") << u"snapshot --format json"_s;
        QTest::newRow("check") << u"check --fail-on error"_s;
        QTest::newRow("check as JSON") << u"check --format json"_s;
        QTest::newRow("check for Prometheus") << u"check --format prometheus"_s;
    }
    void printsNone()
    {
        QFETCH(QString, line);
        Program program;
        QVERIFY(program.run(words(line, program)));
        const QByteArray said = program.out() + program.err();
        QVERIFY2(program.exitCode() < 2, said.constData());
        if (!line.contains(u"prometheus"_s)) { // which counts, and names nothing
            QVERIFY2(said.contains("code:h7Jk\xe2\x80\xa6#") || line.contains(u"check"_s),
                     said.constData());
            QVERIFY2(said.contains("user_token:"), said.constData());
            QVERIFY2(said.contains("invite:*"), said.constData());
        }
        QCOMPARE(codesIn(said), QByteArrayList());
        QCOMPARE(codesKept(program), QByteArrayList());
    }

    void revealsWhereAsked_data() { printsNone_data(); }
    void revealsWhereAsked()
    {
        QFETCH(QString, line);
        Program program;
        QVERIFY(program.run(words(line, program) + QStringList{u"--reveal"_s}));
        const bool names = !line.contains(u"prometheus"_s);
        QCOMPARE(program.out().contains("user_token:Gh0st5d4s3aQw8rTy"), names);
        QCOMPARE(codesKept(program), QByteArrayList());
    }

    void revealBelongsToReports()
    {
        Program program;
        QVERIFY(program.run({u"screenshots"_s, m_server.urlText(), u"x"_s, u"--reveal"_s}));
        QCOMPARE(program.exitCode(), 2);
        QVERIFY2(program.err().contains("--reveal"), program.err().constData());
    }

    void tokensStayApart()
    {
        Program program;
        QVERIFY(program.run({u"snapshot"_s, m_server.urlText(), u"--format"_s, u"json"_s}));
        QStringList names;
        for (const QJsonValue& token :
             QJsonDocument::fromJson(program.out()).object()["tokens"_L1].toArray())
            names << token["name"_L1].toString();
        QCOMPARE(names.size(), 11);
        QCOMPARE(names.removeDuplicates(), 0);
    }

    void actsWithoutAWordOfIt_data()
    {
        QTest::addColumn<QByteArray>("name"); // as it is given
        QTest::addColumn<QString>("line");
        for (const char* verb : {"token revoke", "token consume", "key delete", "token validate"}) {
            for (const bool masked : {false, true}) {
                const QByteArray row = QByteArray(verb) + (masked ? " masked" : " in full");
                QTest::newRow(row.constData())
                    << (masked ? maskedToken(longCode) : longCode) << QString::fromLatin1(verb);
            }
        }
        QTest::newRow("token extend") << longCode << u"token extend --ttl 1h"_s;
        QTest::newRow("key ttl") << longCode << u"key ttl --none"_s;
        QTest::newRow("short code") << shortCode << u"token revoke"_s;
        QTest::newRow("ghost") << QByteArray("user_token:Gh0st5d4s3aQw8rTy") << u"token cleanup"_s;
    }
    void actsWithoutAWordOfIt()
    {
        QFETCH(QByteArray, name);
        QFETCH(QString, line);
        Program program;
        QStringList arguments{u"act"_s, m_server.urlText()};
        const QStringList given = line.split(u' ');
        arguments += given.mid(0, 2);
        arguments << QString::fromUtf8(name) << given.mid(2);
        QByteArray said;
        for (const char* way : {"--dry-run", "--yes"}) {
            Program one;
            one.set("XDG_DATA_HOME", program.home());
            one.set("DBUS_SESSION_BUS_ADDRESS", m_keyring.address());
            QVERIFY(one.run(arguments + QStringList{QString::fromLatin1(way)}));
            said += one.out() + one.err();
            QVERIFY2(one.exitCode() == 0, said.constData());
        }
        // An answer is about what was asked for, and names nothing.
        QVERIFY2(said.contains("\xe2\x80\xa6") || line == u"token validate"_s, said.constData());
        if (line == u"token revoke"_s || line == u"key delete"_s)
            QCOMPARE(m_server.run({"EXISTS", name == shortCode ? shortCode : longCode}).integer, 0);
        QCOMPARE(codesIn(said), QByteArrayList());
        QCOMPARE(codesKept(program), QByteArrayList());
        if (line == u"token validate"_s)
            return;
        // The journal and undo do not print the code either.
        QByteArray receipt;
        for (const char* way :
             {"journal --json", "journal", "undo %1 --dry-run", "undo %1 --yes"}) {
            Program one;
            one.set("XDG_DATA_HOME", program.home());
            one.set("DBUS_SESSION_BUS_ADDRESS", m_keyring.address());
            const QString rest =
                QString::fromLatin1(way).replace(u"%1"_s, QString::fromLatin1(receipt));
            QVERIFY(one.run(QStringList{u"act"_s, m_server.urlText()} + rest.split(u' ')));
            const QByteArray told = one.out() + one.err();
            QVERIFY2(one.exitCode() == 0, told.constData());
            QCOMPARE(codesIn(told), QByteArrayList());
            if (receipt.isEmpty())
                receipt = QJsonDocument::fromJson(one.out())[0]["receipt"_L1].toString().toLatin1();
        }
        QCOMPARE(codesKept(program), QByteArrayList());
    }

    void aMaskThatNamesNobodyDoesNothing_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("differs in each output") << maskedToken(longCode).chopped(8) + "00000000";
        QTest::newRow("of another run") << maskedToken(shortCode);
    }
    void aMaskThatNamesNobodyDoesNothing()
    {
        QFETCH(QByteArray, name);
        const qint64 before = m_server.line("DBSIZE").integer;
        Program program;
        QVERIFY(program.run({u"act"_s, m_server.urlText(), u"token"_s, u"revoke"_s,
                             QString::fromUtf8(name), u"--yes"_s}));
        QCOMPARE(program.exitCode(), 1);
        QCOMPARE(m_server.line("DBSIZE").integer, before);
    }

    // Since Redis 7 the server names the key that it refuses.
    void aRefusalNamesNone()
    {
        m_server.line("ACL SETUSER lee on >pw ~other:* %R~* +@all");
        Program program;
        program.set("LOCKKEEPER_PASSWORD", u"pw"_s);
        QVERIFY(program.run({u"act"_s, u"redis://lee@127.0.0.1:%1"_s.arg(m_server.port()),
                             u"token"_s, u"revoke"_s, QString::fromUtf8(longCode), u"--yes"_s}));
        QCOMPARE(program.exitCode(), 1);
        QVERIFY2(!program.err().isEmpty(), "says why");
        QCOMPARE(codesIn(program.out() + program.err()), QByteArrayList());
        QCOMPARE(m_server.run({"EXISTS", longCode}).integer, 1);
    }

private:
    QStringList words(const QString& line, const Program& program) const
    {
        const QString path = program.home() + u"/c.toml"_s;
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write("[[token]]\nkey = \"wrong:*\"\nlayout = \"hash-token\"\n");
        QStringList all = line.split(u' ');
        all.insert(1, m_server.urlText());
        return all << u"--config"_s << path;
    }

    // The parts of codes that must stay hidden: all but the four characters that may be shown.
    static QByteArrayList codesIn(const QByteArray& text)
    {
        QByteArrayList found;
        for (const char* part :
             {"2mQx9Tz", "9Zt2Mw4", "c17bd", "t5d4s3a", "e8x7c6v", "d4s3aQ", "5b7a-20e4", "990234",
              "990235", "990236", "990237", "gQx7Kp", "l3Qx7Kp"}) {
            if (text.contains(part))
                found << part;
        }
        return found;
    }
    // The codes in all files of that account except undo data.
    static QByteArrayList codesKept(const Program& program)
    {
        QByteArrayList found;
        QDirIterator files(program.home(), QDir::Files | QDir::Hidden,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.fileName().contains(u"/undo/"_s) || !file.open(QIODevice::ReadOnly))
                continue;
            found += codesIn(file.readAll());
        }
        return found;
    }

    const QByteArray longCode = "code:h7Jk2mQx9TzRw4NbPq3c";
    const QByteArray shortCode = "code:c17bd6";
    test::Keyring m_keyring;
    test::RedisServer m_server;
};

LK_TEST(TestCodes);
#include "tst_codes.moc"
