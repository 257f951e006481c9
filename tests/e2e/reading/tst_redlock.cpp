// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/keyring.h"
#include "tests/e2e/program.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>

#include <array>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

/// lockkeeper redlock, on five real servers.
class TestRedlockCommand : public QObject
{
    Q_OBJECT

private:
    static constexpr int size = 5;
    std::array<test::RedisServer, size> m_servers;
    QTemporaryDir m_folder;

    void hold(std::initializer_list<int> on, const QByteArray& name, const QByteArray& owner)
    {
        for (const int i : on)
            m_servers[size_t(i)].run({"SET", name, owner, "NX", "PX", "600000"});
    }
    QStringList command(const QString& format = u"text"_s) const
    {
        return {u"redlock"_s, u"--config"_s, m_folder.filePath(u"c.toml"_s), u"--format"_s, format};
    }
    bool act(Program& program, const QString& line, const QStringList& more = {}) const
    {
        return program.run(QStringList{u"redlock"_s} + line.split(u' ') + more +
                           QStringList{u"--config"_s, m_folder.filePath(u"c.toml"_s)});
    }
    // The arguments to check the last server, with the group and more in the configuration.
    QStringList check(const QStringList& more, const QByteArray& toml = {}) const
    {
        const QString path = m_folder.filePath(u"check.toml"_s);
        QFile group(m_folder.filePath(u"c.toml"_s));
        QFile file(path);
        if (group.open(QIODevice::ReadOnly) && file.open(QIODevice::WriteOnly))
            file.write(group.readAll() + toml);
        return QStringList{u"check"_s, m_servers[4].urlText(), u"--config"_s, path} + more;
    }
    static QJsonObject findingOf(const QByteArray& json, const QString& code)
    {
        for (const QJsonValue& each :
             QJsonDocument::fromJson(json).object()["findings"_L1].toArray()) {
            if (each["code"_L1].toString() == code)
                return each.toObject();
        }
        return {};
    }
    // On which servers that is its owner: "01101".
    QString where(const QByteArray& name, const QByteArray& owner)
    {
        QString servers;
        for (test::RedisServer& server : m_servers)
            servers += server.run({"GET", name}).text == owner ? u'1' : u'0';
        return servers;
    }
    // In a file of the program's own, so that it is the same account again.
    static void sameAccount(Program& program, const Program& before)
    {
        for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"})
            program.set(name, before.home());
    }

private slots:
    void initTestCase()
    {
        QStringList urls;
        for (test::RedisServer& server : m_servers) {
            QVERIFY2(server.start(), server.output());
            urls << u"\"%1\""_s.arg(server.urlText());
        }
        QFile file(m_folder.filePath(u"c.toml"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(u"[[redlock]]\nservers = [%1]\nmatch = \"lock:*\"\n"_s.arg(urls.join(u", "_s))
                       .toUtf8());
    }
    void init()
    {
        for (test::RedisServer& server : m_servers)
            server.flush();
    }

    void oneLineForEachLock()
    {
        hold({0, 1, 2, 3, 4}, "lock:all", "worker-1");
        hold({0, 1, 2}, "lock:most", "worker-1");
        hold({3, 4}, "lock:most", "worker-2");
        hold({0, 1, 2, 3, 4}, "other", "worker-1");
        for (const int i : {0, 1, 4}) // as Redisson keeps its own
            m_servers[size_t(i)].lines({"HSET lock:hash 8f1c:1 1", "PEXPIRE lock:hash 600000"});
        Program program;
        QVERIFY(program.run(command()));
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        QVERIFY2(program.out().contains("lock:all  held by worker-1 on 5 of 5, valid for 10 m") ||
                     program.out().contains("lock:all  held by worker-1 on 5 of 5, valid for 9 m"),
                 program.out().constData());
        QVERIFY(program.out().contains("lock:most  held by worker-1 on 3 of 5"));
        QVERIFY(program.out().contains("other owners on 2"));
        QVERIFY(program.out().contains("lock:hash  held by 8f1c:1 on 3 of 5"));
        QVERIFY(!program.out().contains("other  "));
    }

    void nobodyHasEnough()
    {
        hold({0}, "lock:left", "worker-1");
        hold({0, 1}, "lock:split", "worker-1");
        hold({2, 3}, "lock:split", "worker-2");
        Program program;
        QVERIFY(program.run(command(u"json"_s)));
        QCOMPARE(program.exitCode(), 1);
        const QJsonObject group =
            QJsonDocument::fromJson(program.out()).object()["groups"_L1][0].toObject();
        QVERIFY(group["complete"_L1].toBool());
        const QJsonArray locks = group["locks"_L1].toArray();
        QCOMPARE(locks.size(), 2);
        QCOMPARE(locks[0]["state"_L1].toString(), u"no-quorum"_s);
        QCOMPARE(locks[0]["holds"_L1].toInt(), 1);
        QCOMPARE(locks[1]["state"_L1].toString(), u"split"_s);
        QCOMPARE(locks[1]["servers"_L1].toArray().size(), size);
    }

    void serversThatAreDown()
    {
        hold({0, 1, 2}, "lock:a", "worker-1");
        m_servers[3].stop();
        m_servers[4].stop();
        Program held;
        QVERIFY(held.run(command()));
        QCOMPARE(held.exitCode(), 0);
        QVERIFY(held.out().contains("held by worker-1 on 3 of 5"));
        QVERIFY(held.out().contains("servers that do not answer: 2"));
        hold({0, 1}, "lock:half", "worker-1"); // one of those that are down may have it, too
        Program half;
        QVERIFY(half.run(command()));
        QCOMPARE(half.exitCode(), 2);
        QVERIFY2(half.out().contains("lock:half  unknown: worker-1 has 2 of 5"),
                 half.out().constData());
        QVERIFY2(half.err().contains("to tell who holds 1 of its 2 locks"), half.err().constData());
        m_servers[2].stop();
        Program unknown;
        QVERIFY(unknown.run(command()));
        QCOMPARE(unknown.exitCode(), 2);
        QVERIFY(unknown.out().contains("unknown: worker-1 has 2 of 5"));
        QVERIFY2(unknown.err().contains("Too few servers"), unknown.err().constData());
        for (const int i : {2, 3, 4})
            QVERIFY(m_servers[size_t(i)].start());
    }

    void serversThatAreOne()
    {
        QFile file(m_folder.filePath(u"same.toml"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QString link = m_folder.filePath(u"again.sock"_s);
        QVERIFY(QFile::link(m_servers[0].socketPath(), link));
        file.write(u"[[redlock]]\nservers = [\"%1\", \"unix://%2\", \"%3\"]\nmatch = \"lock:*\"\n"_s
                       .arg(m_servers[0].urlText(), link, m_servers[1].urlText())
                       .toUtf8());
        file.close();
        Program program;
        QVERIFY(program.run({u"redlock"_s, u"--config"_s, file.fileName()}));
        QCOMPARE(program.exitCode(), 1);
        QVERIFY2(program.out().contains("error: The same server is listed more than once: "),
                 program.out().constData());
        Program json;
        QVERIFY(json.run({u"redlock"_s, u"--format"_s, u"json"_s, u"--config"_s, file.fileName()}));
        const QJsonValue group = QJsonDocument::fromJson(json.out()).object()["groups"_L1][0];
        QCOMPARE(group["findings"_L1][0]["code"_L1].toString(), u"redlock-same-server"_s);
        QCOMPARE(group["servers"_L1][2]["role"_L1].toString(), u"master"_s);
        QVERIFY(group["servers"_L1][0]["clock_offset_ms"_L1].isDouble());
    }

    void releasesOnAllServers()
    {
        hold({0, 1, 2, 4}, "lock:a", "worker-1");
        hold({3}, "lock:a", "worker-2");
        Program plan;
        QVERIFY(act(plan, u"release lock:a --owner worker-1 --dry-run"_s));
        QCOMPARE(plan.exitCode(), 0);
        QVERIFY2(plan.out().contains("Release the lock lock:a?"), plan.out().constData());
        QVERIFY(plan.out().contains("held by worker-1, TTL"));
        QVERIFY(plan.out().contains("unchanged: held by another owner on this server"));
        QCOMPARE(where("lock:a", "worker-1"), u"11101"_s);

        Program refused; // no terminal to ask on
        QVERIFY(act(refused, u"release lock:a --owner worker-1"_s));
        QCOMPARE(refused.exitCode(), 1);
        QCOMPARE(where("lock:a", "worker-1"), u"11101"_s);

        Program release;
        QVERIFY(act(release, u"release lock:a --owner worker-1 --yes --format json"_s,
                    {u"--reason"_s, u"stuck"_s}));
        QVERIFY2(release.exitCode() == 0, (release.err() + release.out()).constData());
        QCOMPARE(where("lock:a", "worker-1"), u"00000"_s);
        QCOMPARE(where("lock:a", "worker-2"), u"00010"_s);
        const QByteArrayList lines = release.out().trimmed().split('\n');
        QCOMPARE(lines.size(), 4);
        QSet<QString> groups;
        QSet<QString> endpoints;
        for (const QByteArray& line : lines) {
            const QJsonObject receipt = QJsonDocument::fromJson(line).object();
            QCOMPARE(receipt["outcome"_L1].toString(), u"done"_s);
            groups.insert(receipt["group"_L1].toString());
            endpoints.insert(receipt["endpoint"_L1].toString());
        }
        QCOMPARE(groups.size(), 1);
        QCOMPARE(endpoints.size(), 4);

        Program again; // it is free by now
        QVERIFY(act(again, u"release lock:a --owner worker-1 --yes"_s));
        QCOMPARE(again.exitCode(), 1);
        QVERIFY2(again.err().contains("worker-1 does not hold lock:a on any server"),
                 again.err().constData());
    }

    // A server that is down does not prevent the step on the others, and is named.
    void releasesWhatItReaches()
    {
        hold({0, 1, 2}, "lock:b", "worker-1");
        m_servers[1].stop();
        Program release;
        QVERIFY(act(release, u"release lock:b --owner worker-1 --yes"_s));
        QCOMPARE(release.exitCode(), 1);
        QVERIFY2(release.out().contains("Succeeded on 2 of 5 servers"), release.out().constData());
        QVERIFY(release.out().contains("It may still be held on: " +
                                       m_servers[1].url().endpoint().toUtf8()));
        QVERIFY(m_servers[1].start());
        QCOMPARE(where("lock:b", "worker-1"), u"00000"_s); // nothing of it was on a disk
    }

    void undoesTheGroup()
    {
        test::Keyring keyring; // what undo needs is kept with one alone
        QVERIFY(keyring.start());
        hold({0, 1, 2, 3}, "lock:c", "worker-1");
        Program release;
        release.set("DBUS_SESSION_BUS_ADDRESS", keyring.address());
        QVERIFY(act(release, u"release lock:c --owner worker-1 --yes"_s));
        QVERIFY2(release.exitCode() == 0, (release.err() + release.out()).constData());
        QCOMPARE(where("lock:c", "worker-1"), u"00000"_s);
        const QByteArray group = release.out().trimmed().split(' ').last();
        QVERIFY2(group.startsWith('g'), release.out().constData());
        m_servers[2].run({"SET", "lock:c", "worker-2", "PX", "60000"}); // somebody was quicker
        Program undo;
        undo.set("DBUS_SESSION_BUS_ADDRESS", keyring.address());
        sameAccount(undo, release);
        QVERIFY(act(undo, u"undo %1 --yes"_s.arg(QString::fromLatin1(group))));
        QCOMPARE(undo.exitCode(), 1);
        QVERIFY2(undo.out().contains("Succeeded on 3 of 5 servers"), undo.out().constData());
        QCOMPARE(where("lock:c", "worker-1"), u"11010"_s);
        QCOMPARE(where("lock:c", "worker-2"), u"00100"_s);
    }

    void refusesWhatIsMeantOtherwise_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        QTest::newRow("no owner") << u"release lock:a"_s << 2 << u"needs --owner"_s;
        QTest::newRow("no name") << u"release --owner a"_s << 2 << u"needs the name"_s;
        QTest::newRow("no group") << u"undo"_s << 2 << u"needs the group"_s;
        QTest::newRow("nothing to be read with it")
            << u"--owner a"_s << 2 << u"belongs to redlock release"_s;
        QTest::newRow("a verb that is none") << u"delete lock:a"_s << 2 << u"delete"_s;
        QTest::newRow("outside of all groups")
            << u"release other --owner a --yes"_s << 1 << u"No [[redlock]] matches other"_s;
        QTest::newRow("a group that is none")
            << u"undo g123 --yes"_s << 1 << u"The journal has no group g123"_s;
    }

    void refusesWhatIsMeantOtherwise()
    {
        QFETCH(QString, line);
        QFETCH(int, code);
        QFETCH(QString, says);
        Program program;
        QVERIFY(act(program, line));
        QVERIFY2(program.exitCode() == code, program.err().constData());
        QVERIFY2(program.err().contains(says.toUtf8()), program.err().constData());
    }

    // The groups that are declared are looked at with the server that is checked.
    void checkTellsOfThem()
    {
        hold({0, 1}, "lock:split", "worker-1");
        hold({2, 3}, "lock:split", "worker-2");
        Program json;
        QVERIFY(json.run(check({u"--format"_s, u"json"_s})));
        QVERIFY2(json.exitCode() == 1, json.err().constData());
        const QJsonObject finding = findingOf(json.out(), u"redlock-split"_s);
        QCOMPARE(finding["severity"_L1].toString(), u"warning"_s);
        QCOMPARE(finding["kind"_L1].toString(), u"lock"_s);
        QCOMPARE(finding["name"_L1].toString(), u"lock:split"_s);
        QCOMPARE(finding["key"_L1].toString(), u"lock:split"_s);
        QVERIFY(finding["message"_L1].toString().contains(u"split between owners"_s));
        Program text;
        QVERIFY(text.run(check({u"--fail-on"_s, u"error"_s})));
        QCOMPARE(text.exitCode(), 0);
        QVERIFY2(text.out().contains("warning  redlock-split (1)\n    lock:split  no owner"),
                 text.out().constData());
        Program prometheus;
        QVERIFY(prometheus.run(check({u"--format"_s, u"prometheus"_s})));
        QCOMPARE(prometheus.exitCode(), 1);
        const QByteArray sample =
            "lockkeeper_findings{code=\"redlock-split\",severity=\"warning\"}";
        QVERIFY2(prometheus.out().contains(sample + " 1\n"), prometheus.out().constData());
        Program silent;
        QVERIFY(
            silent.run(check({}, "[[silence]]\ncode = \"redlock-split\"\nmatch = \"lock:s*\"\n")));
        QVERIFY2(silent.exitCode() == 0, silent.out().constData());
        QVERIFY2(silent.out().contains("silenced: 1 (redlock-split 1)"), silent.out().constData());
        // With several servers only the first one reports it.
        Program several;
        QVERIFY(
            several.run({u"check"_s, m_servers[4].urlText(), m_servers[3].urlText(), u"--format"_s,
                         u"json"_s, u"--config"_s, m_folder.filePath(u"check.toml"_s)}));
        QCOMPARE(several.out().count("\"silenced_codes\":{\"redlock-split\":1}"), 1);
        // Undeclared locks are not looked for.
        Program none;
        QVERIFY(none.run({u"check"_s, m_servers[4].urlText(), u"--format"_s, u"prometheus"_s}));
        QVERIFY(!none.out().contains("redlock"));
    }

    // A lock that is acquired or released just then is on too few servers for a moment.
    void checkDoesNotTellOfWhatPasses()
    {
        int tries = 0; // of others, each in vain
        const auto tryAgain = [&] {
            m_servers[0].run(
                {"SET", "lock:passing", "worker-" + QByteArray::number(++tries), "PX", "600000"});
        };
        tryAgain();
        Program program;
        QVERIFY(program.start(check({u"--format"_s, u"json"_s})));
        QVERIFY(QTest::qWaitFor(
            [&] {
                tryAgain();
                return program.process.state() == QProcess::NotRunning;
            },
            60'000));
        QVERIFY(tries > 1);
        QVERIFY2(program.exitCode() == 0, (program.out() + program.err()).constData());
        QVERIFY(findingOf(program.out(), u"redlock-no-quorum"_s).isEmpty());
    }

    void checkThatCouldNotAskAllOfThem()
    {
        hold({0, 1, 2}, "lock:a", "worker-1");
        m_servers[3].stop();
        Program partly;
        QVERIFY(partly.run(check({})));
        QCOMPARE(partly.exitCode(), 2);
        const QByteArray missing =
            "Redlock group lock:*: " + m_servers[3].url().endpoint().toUtf8() +
            " does not answer: ";
        QVERIFY2(partly.err().contains(missing), partly.err().constData());
        QVERIFY2(partly.out().contains(missing), partly.out().constData());
        Program allowed;
        QVERIFY(allowed.run(check({u"--allow-partial"_s})));
        QCOMPARE(allowed.exitCode(), 0);
        m_servers[1].stop();
        m_servers[2].stop();
        Program few;
        QVERIFY(few.run(
            check({u"--allow-partial"_s, u"--fail-on"_s, u"error"_s, u"--format"_s, u"json"_s})));
        QCOMPARE(few.exitCode(), 1);
        const QJsonObject finding = findingOf(few.out(), u"redlock-too-few-servers"_s);
        QCOMPARE(finding["severity"_L1].toString(), u"error"_s);
        QCOMPARE(finding["name"_L1].toString(), u"lock:*"_s);
        for (const int i : {1, 2, 3})
            QVERIFY(m_servers[size_t(i)].start());
    }

    void nothingIsDeclared()
    {
        QFile file(m_folder.filePath(u"empty.toml"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        Program program;
        QVERIFY(program.run({u"redlock"_s, u"--config"_s, file.fileName()}));
        QCOMPARE(program.exitCode(), 2);
        QVERIFY(program.err().contains("No [[redlock]] is declared"));
    }
};

LK_TEST(TestRedlockCommand);
#include "tst_redlock.moc"
