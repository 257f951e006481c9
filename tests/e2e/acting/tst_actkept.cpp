// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/acting/actprogram.h"
#include "tests/e2e/keyring.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QDirIterator>
#include <QJsonObject>

#include <csignal>

using namespace lk;
using namespace Qt::StringLiterals;
using test::act;
using test::again;
using test::journal;
using test::Program;
using test::start;

/// State that one run of `lockkeeper act` leaves for the next: undo data, ages of jobs, and a lock
/// while it requeues.
class TestActKept : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY2(m_open.start(), m_open.output());
        QVERIFY(m_keyring.start());
    }
    void init()
    {
        m_open.flush();
        m_open.lines({"SET lock:a w1 PX 600000", "RPUSH jobs r", "RPUSH jobs:processing c b a",
                      "SET code:11fe5a S3CRET-PAYLOAD PX 600000"});
    }

    void undoIsEncryptedOrNotKept_data()
    {
        QTest::addColumn<QByteArray>("keptBy");
        QTest::addColumn<QByteArray>("undo");
        QTest::newRow("a desktop") << QByteArray("desktop") << QByteArray("for a day");
        QTest::newRow("no desktop") << QByteArray("kernel") << QByteArray("until you log out");
        QTest::newRow("a file") << QByteArray("file") << QByteArray("for a day");
        QTest::newRow("a file of the environment")
            << QByteArray("variable") << QByteArray("for a day");
        QTest::newRow("a container") << QByteArray("nothing") << QByteArray("not possible: ");
    }
    void undoIsEncryptedOrNotKept()
    {
        QFETCH(QByteArray, keptBy);
        QFETCH(QByteArray, undo);
        if (keptBy == "kernel" && !Program::kernelKeepsKeys()) {
            keptBy = "nothing"; // these tests run in such a container
            undo = "not possible: ";
        }
        const bool possible = keptBy != "nothing";
        Program program;
        const QString key = program.home() + u"/undo.key"_s;
        const auto setUp = [&](Program& one) {
            if (keptBy == "desktop")
                one.set("DBUS_SESSION_BUS_ADDRESS", m_keyring.address());
            if (keptBy == "variable")
                one.set("LOCKKEEPER_UNDO_KEY", key);
            if (keptBy != "kernel")
                one.denyKernelKeys();
        };
        const QString option = keptBy == "file" ? u" --undo-key "_s + key : QString();
        setUp(program);
        QVERIFY(act(program, m_open.urlText(), u"token revoke code:11fe5a --yes"_s + option));
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        QVERIFY2(program.out().contains(undo), program.out().constData());
        const QJsonObject entry = journal(program, m_open.urlText())[0].toObject();
        QCOMPARE(entry["undoable"_L1].toBool(), possible);
        const QString receipt = entry["receipt"_L1].toString();
        int kept = 0;
        QDirIterator files(program.home(), QDir::Files | QDir::Hidden,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray bytes = file.readAll();
            QVERIFY2(!bytes.contains("S3CRET") && !bytes.contains("code:11fe5a") &&
                         !bytes.contains(QByteArray("S3CRET-PAYLOAD").toBase64().left(12)) &&
                         !bytes.contains(QByteArray("code:11fe5a").toBase64()),
                     qPrintable(file.fileName()));
            kept += file.fileName().contains(receipt) ? 1 : 0;
        }
        QCOMPARE(kept, possible ? 1 : 0);
        Program without; // has no key
        without.denyKernelKeys();
        QVERIFY(again(without, program, m_open.urlText(), u"undo "_s + receipt + u" --yes"_s));
        QCOMPARE(without.exitCode(), 1);
        QVERIFY2(without.err().contains("--undo-key"), without.err().constData());
        QCOMPARE(m_open.line("EXISTS code:11fe5a").integer, 0);
        if (!possible)
            return;
        Program later;
        setUp(later);
        QVERIFY(
            again(later, program, m_open.urlText(), u"undo "_s + receipt + u" --yes"_s + option));
        QVERIFY2(later.exitCode() == 0, later.err().constData());
        QCOMPARE(m_open.line("GET code:11fe5a").text, QByteArray("S3CRET-PAYLOAD"));
    }

    void aKeyThatOthersMayReadIsRefused()
    {
        Program program;
        const QString path = program.home() + u"/undo.key"_s;
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("not a key\n");
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::ReadOther));
        const QString line = u"token revoke code:11fe5a --yes --undo-key "_s + path;
        QVERIFY(act(program, m_open.urlText(), line));
        QCOMPARE(program.exitCode(), 2);
        QVERIFY2(program.err().contains("other users may read it"), program.err().constData());
        QVERIFY(file.setPermissions(QFile::ReadOwner));
        Program wrong;
        QVERIFY(again(wrong, program, m_open.urlText(), line));
        QCOMPARE(wrong.exitCode(), 2);
        QVERIFY2(wrong.err().contains("32 bytes in base64"), wrong.err().constData());
        QCOMPARE(m_open.line("EXISTS code:11fe5a").integer, 1);
    }

    // Ages come from the run before; what this one does first is to look.
    void requeuesUntilItsTimeIsUp()
    {
        Program before;
        QVERIFY(act(before, m_open.urlText(), u"queue requeue jobs --older-than 1h --yes"_s));
        QCOMPARE(before.exitCode(), 1);
        Program dry;
        QVERIFY(again(dry, before, m_open.urlText(), u"queue auto-requeue jobs --dry-run"_s));
        QCOMPARE(dry.exitCode(), 0);
        QVERIFY(dry.out().contains("lockkeeper:watcher:{jobs}") && dry.out().contains("30 s"));
        Program asked;
        QVERIFY(again(asked, before, m_open.urlText(), u"queue auto-requeue jobs"_s));
        QCOMPARE(asked.exitCode(), 1); // no terminal to ask on
        QCOMPARE(m_open.line("LLEN jobs:processing").integer, 3);
        Program none;
        QVERIFY(again(none, before, m_open.urlText(), u"queue auto-requeue lock:a --yes"_s));
        QCOMPARE(none.exitCode(), 1);
        Program program;
        QVERIFY(again(program, before, m_open.urlText(),
                      u"queue auto-requeue jobs --older-than 1ms --for 2s --yes"_s));
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        QVERIFY2(program.out().contains("the time limit was reached. 3 job"),
                 program.out().constData());
        QCOMPARE(m_open.line("EXISTS jobs:processing").integer, 0);
        QCOMPARE(m_open.line("EXISTS lockkeeper:watcher:{jobs}").integer, 0);
        const QJsonArray entries = journal(before, m_open.urlText());
        QStringList actions;
        int requeued = 0;
        for (const QJsonValue& entry : entries) {
            QCOMPARE(entry[u"reason"_s].toString(), u"auto-requeue"_s);
            actions << entry[u"action"_s].toString();
            requeued += entry[u"count"_s].toInt();
        }
        QCOMPARE(actions, (QStringList{u"queue.auto-requeue"_s, u"queue.requeue"_s,
                                       u"queue.auto-requeue"_s}));
        QCOMPARE(requeued, 3);
    }

    void requeuesUntilInterrupted_data()
    {
        QTest::addColumn<int>("number");
        QTest::newRow("Ctrl+C") << SIGINT;
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("the terminal is closed") << SIGHUP;
    }
    void requeuesUntilInterrupted()
    {
        QFETCH(int, number);
        Program program;
        QVERIFY(
            start(program, m_open.urlText(), u"queue auto-requeue jobs --older-than 1h --yes"_s));
        QTRY_COMPARE_WITH_TIMEOUT(m_open.line("EXISTS lockkeeper:watcher:{jobs}").integer, 1,
                                  20'000);
        Program second; // stands by, and leaves the lock of the first alone
        QVERIFY(act(second, m_open.urlText(), u"queue auto-requeue jobs --for 500ms --yes"_s));
        QCOMPARE(second.exitCode(), 0);
        QVERIFY(second.out().contains("Another console requeues this queue's jobs"));
        QCOMPARE(m_open.line("EXISTS lockkeeper:watcher:{jobs}").integer, 1);
        ::kill(pid_t(program.process.processId()), number);
        QVERIFY(program.waitForEnd());
        QCOMPARE(program.exitCode(), 0);
        QVERIFY(program.out().contains(number == SIGHUP ? "the terminal was closed. 0 job"
                                                        : "interrupted. 0 job"));
        QCOMPARE(m_open.line("EXISTS lockkeeper:watcher:{jobs}").integer, 0);
        QCOMPARE(m_open.line("LLEN jobs:processing").integer, 3);
    }

private:
    test::Keyring m_keyring;
    test::RedisServer m_open;
};

LK_TEST(TestActKept);
#include "tst_actkept.moc"
