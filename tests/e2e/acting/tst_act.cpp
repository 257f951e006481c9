// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/acting/actprogram.h"
#include "tests/e2e/keyring.h"
#include "tests/e2e/program.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QDateTime>
#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cctype>

using namespace lk;
using namespace Qt::StringLiterals;
using test::act;
using test::again;
using test::journal;
using test::Program;
using test::start;

/// `lockkeeper act` as a script or a person in a hurry calls it: exit codes, what is on which
/// stream, and what is left behind.
class TestAct : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_server.addTcp();
        m_server.setArguments({u"--requirepass"_s, u"pw-S3CRET"_s, u"--protected-mode"_s, u"no"_s});
        QVERIFY2(m_open.start(), m_open.output());
        QVERIFY2(m_server.start(), m_server.output());
        QVERIFY(m_keyring.start());
    }
    void init()
    {
        m_open.flush();
        m_open.lines({"SET lock:a w1 PX 600000", "RPUSH jobs r", "RPUSH jobs:processing c b a",
                      "SET code:11fe5a S3CRET-PAYLOAD PX 600000", "HSET code:used used_by 1 u 7"});
    }

    void help()
    {
        Program program;
        QVERIFY(program.run({u"act"_s, u"--help"_s}));
        QCOMPARE(program.exitCode(), 0);
        QCOMPARE(program.err(), QByteArray());
        QVERIFY(program.out().contains("lock release NAME [--owner TEXT]"));
    }

    void steps_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("effect");
        QTest::addColumn<QByteArray>("seen");
        const auto row = [](const char* line, int code, const char* effect, const char* seen) {
            QTest::newRow(line) << QString::fromUtf8(line) << code << QByteArray(effect)
                                << QByteArray(seen);
        };
        row("lock release lock:a --owner w1 --yes", 0, "EXISTS lock:a", "0");
        row("lock release lock:a --owner w2 --yes", 1, "GET lock:a", "w1"); // conflict
        row("lock release lock:none --owner w1 --yes", 1, "EXISTS lock:a", "1");
        row("lock release lock:a --yes", 2, "EXISTS lock:a", "1");      // no owner named
        row("lock release lock:a --owner w1", 1, "EXISTS lock:a", "1"); // no terminal to ask on
        row("lock release lock:a --owner w1 --dry-run", 0, "EXISTS lock:a", "1");
        row("lock ttl lock:a --ttl 30s --owner w1 --yes", 0, "TTL lock:a", "30");
        row("lock ttl lock:a --ttl soon --yes", 2, "TTL lock:a", "600");
        row("lock open lock:a --yes", 2, "TTL lock:a", "600");
        row("queue requeue jobs --index 1 --yes", 0, "LRANGE jobs 0 -1", "r a");
        row("queue requeue jobs --index 3 --yes", 0, "LRANGE jobs 0 -1", "r c");
        row("queue requeue jobs --index 4 --yes", 1, "LRANGE jobs 0 -1", "r");
        row("queue requeue jobs --all --yes", 0, "LRANGE jobs 0 -1", "r c b a");
        row("queue requeue jobs --older-than 30s --yes", 1, "LRANGE jobs 0 -1", "r"); // unknown age
        row("queue requeue jobs --yes", 2, "LRANGE jobs 0 -1", "r");
        row("queue discard jobs --index 1 --yes", 0, "LRANGE jobs:processing 0 -1", "c b");
        row("queue dead-letter jobs --index 1 --yes", 1, "EXISTS jobs:dead",
            "0"); // was never detected
        row("queue push nowhere --payload new --yes", 1, "EXISTS nowhere", "0"); // nor that
        row("queue push jobs --payload new --yes", 0, "LRANGE jobs 0 -1", "new r");
        row("queue push jobs --payload new --dry-run", 0, "LRANGE jobs 0 -1", "r");
        row("token validate code:11fe5a", 0, "EXISTS code:11fe5a", "1");
        row("token validate code:used", 1, "HGET code:used used_by", "1");
        row("token validate code:never", 1, "EXISTS code:11fe5a", "1");
        row("token consume code:11fe5a --yes", 0, "EXISTS code:11fe5a", "0");
        row("token consume code:used --yes", 1, "HGET code:used used_by", "1");
        row("token revoke code:11fe5a --yes", 0, "EXISTS code:11fe5a", "0");
        row("token extend code:11fe5a --ttl 1h --yes", 0, "TTL code:11fe5a", "3600");
        row("token issue --prefix code: --yes", 2, "DBSIZE", "5"); // without an end
        row("key delete jobs --yes", 0, "EXISTS jobs", "0");
        row("undo r000000000000 --yes", 1, "DBSIZE", "5");
        row("nonsense", 2, "DBSIZE", "5");
    }
    void steps()
    {
        QFETCH(QString, line);
        QFETCH(int, code);
        QFETCH(QByteArray, effect);
        QFETCH(QByteArray, seen);
        Program program;
        QVERIFY(act(program, m_open.urlText(), line));
        QVERIFY2(program.exitCode() == code, (program.err() + program.out()).constData());
        const bool exposed = line.contains(u"--owner w"_s) || line.contains(u"--payload new"_s);
        QCOMPARE(program.err().contains("other users can read"), exposed);
        if (code == 0)
            QCOMPARE(program.err().count('\n'), exposed ? 1 : 0);
        else
            QVERIFY(!program.err().isEmpty() || !program.out().isEmpty());
        const Reply reply = m_open.line(effect);
        QByteArrayList words;
        for (const Reply& item : reply.items)
            words << item.text;
        const QByteArray now = reply.isArray()     ? words.join(' ')
                               : reply.isInteger() ? QByteArray::number(reply.integer)
                                                   : reply.text;
        if (effect.startsWith("TTL ")) // of which some has passed
            QVERIFY2(isAbout(reply.integer, seen.toLongLong()), now.constData());
        else
            QCOMPARE(now, seen);
        QVERIFY(!(program.out() + program.err()).contains("S3CRET"));
        // A mere read, and a refusal for want of agreement, are no steps.
        const bool taken = line.contains(u"--yes"_s) && code == 0;
        if (taken || line.contains(u"--dry-run"_s))
            QCOMPARE(journal(program, m_open.urlText()).size(), taken ? 1 : 0);
    }

    void oneItemAndTwoItems()
    {
        Program one;
        QVERIFY(act(one, m_open.urlText(), u"queue requeue jobs --index 1 --dry-run"_s));
        QVERIFY2(one.out().startsWith("Requeue 1 job of jobs?\n"), one.out().constData());
        Program all;
        QVERIFY(act(all, m_open.urlText(), u"queue requeue jobs --all --dry-run"_s));
        QVERIFY2(all.out().startsWith("Requeue 3 jobs of jobs?\n"), all.out().constData());
    }

    void issuesACodeOnStdoutAlone_data()
    {
        QTest::addColumn<bool>("hash");
        QTest::newRow("string") << false;
        QTest::newRow("hash") << true;
    }
    void issuesACodeOnStdoutAlone()
    {
        QFETCH(bool, hash);
        Program program;
        program.set("DBUS_SESSION_BUS_ADDRESS", m_keyring.address());
        QString line = u"token issue --prefix code: --ttl 1h --payload-file - --yes"_s;
        if (hash)
            line += u" --hash"_s;
        QVERIFY(start(program, m_open.urlText(), line));
        const QByteArray payload("PAYL\0AD\xff\n", 9);
        program.process.write(payload);
        program.process.closeWriteChannel();
        QVERIFY(program.waitForEnd());
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        QVERIFY(program.out().endsWith('\n'));
        const QByteArray code = program.out().chopped(1);
        QCOMPARE(code.size(), 24);
        QVERIFY(
            std::all_of(code.begin(), code.end(), [](char c) { return std::isalnum(uchar(c)); }));
        const QByteArray key = "code:" + code;
        QCOMPARE(m_open.run(hash ? Command{"HGET", key, "payload"} : Command{"GET", key}).text,
                 payload);
        QVERIFY(isAbout(m_open.run({"TTL", key}).integer, 3600));
        QVERIFY(!program.err().contains(code));
        QVERIFY(!contentsOf(program, u"journal.jsonl"_s).isEmpty());
        QVERIFY(!contentsOf(program, u"journal.jsonl"_s).contains(code));
        QVERIFY(!contentsOf(program, u"journal.jsonl"_s).contains("PAYL"));
        // Taken back, without a word of the code.
        const QByteArray receipt =
            journal(program, m_open.urlText())[0].toObject()["receipt"_L1].toString().toLatin1();
        Program undo;
        undo.set("DBUS_SESSION_BUS_ADDRESS", m_keyring.address());
        QVERIFY(again(undo, program, m_open.urlText(),
                      u"undo "_s + QString::fromLatin1(receipt) + u" --yes"_s));
        QVERIFY2(undo.exitCode() == 0, (undo.err() + undo.out()).constData());
        QVERIFY(!(undo.out() + undo.err()).contains(code));
        QCOMPARE(m_open.run({"EXISTS", key}).integer, 0);
        QVERIFY(!contentsOf(program, u"journal.jsonl"_s).contains(code));
    }

    void tellsWhatItDid()
    {
        Program program;
        program.set("DBUS_SESSION_BUS_ADDRESS", m_keyring.address());
        QVERIFY(start(program, m_open.urlText(), u"queue discard jobs --index 2 --yes --reason"_s,
                      {u"poison pill"_s}));
        QVERIFY(program.waitForEnd());
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        const QJsonArray all = journal(program, m_open.urlText());
        QCOMPARE(all.size(), 1);
        const QJsonObject entry = all[0].toObject();
        const QString receipt = entry["receipt"_L1].toString();
        QVERIFY(receipt.startsWith(u'r') && receipt.size() == 13);
        QVERIFY(program.out().contains(receipt.toLatin1()));
        QCOMPARE(entry["action"_L1].toString(), u"queue.discard"_s);
        QCOMPARE(entry["name"_L1].toString(), u"jobs"_s);
        QCOMPARE(entry["keys"_L1].toArray(), QJsonArray{u"jobs:processing"_s});
        QCOMPARE(entry["outcome"_L1].toString(), u"done"_s);
        QCOMPARE(entry["reason"_L1].toString(), u"poison pill"_s);
        QVERIFY(QDateTime::fromString(entry["when"_L1].toString(), Qt::ISODateWithMs).isValid());
        for (const char* word : {"who", "host", "endpoint", "before", "after", "guard"})
            QVERIFY2(entry.contains(QLatin1String(word)), word);

        Program undo;
        undo.set("DBUS_SESSION_BUS_ADDRESS", m_keyring.address());
        QVERIFY(again(undo, program, m_open.urlText(), u"undo "_s + receipt + u" --yes"_s));
        QVERIFY2(undo.exitCode() == 0, (undo.err() + undo.out()).constData());
        QCOMPARE(m_open.line("LLEN jobs:processing").integer, 3);
        Program twice;
        twice.set("DBUS_SESSION_BUS_ADDRESS", m_keyring.address());
        QVERIFY(again(twice, program, m_open.urlText(), u"undo "_s + receipt + u" --yes"_s));
        QCOMPARE(twice.exitCode(), 1);
        QCOMPARE(m_open.line("LLEN jobs:processing").integer, 3);
        const QJsonArray both = journal(program, m_open.urlText());
        QCOMPARE(both.size(), 2);
        QCOMPARE(both[1].toObject()["undoes"_L1].toString(), receipt);
        Program text;
        QVERIFY(again(text, program, m_open.urlText(), u"journal"_s));
        QVERIFY(text.out().contains("queue.discard") && text.out().contains("poison pill"));
        // The journal has no entries for another server.
        QVERIFY(journal(program, address()).isEmpty());
    }

    // The queue is only inferred from the name of a processing list.
    void neverWritesToAListThatNobodyHasSeen()
    {
        m_open.line("RENAME jobs:processing processing_queue");
        Program refused;
        QVERIFY(act(refused, m_open.urlText(), u"queue requeue queue --all --yes"_s));
        QCOMPARE(refused.exitCode(), 1);
        QVERIFY2(refused.err().contains("[[queue]] key = \"queue\""), refused.err().constData());
        QCOMPARE(refused.err().count('\n'), 1);
        Program watch;
        QVERIFY(act(watch, m_open.urlText(), u"queue auto-requeue queue --for 1s --yes"_s));
        QCOMPARE(watch.exitCode(), 1);
        QCOMPARE(m_open.line("EXISTS queue").integer, 0);
        Program declared;
        const QString path = declared.home() + u"/c.toml"_s;
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[[queue]]\nkey = \"work\"\nlayout = \"reliable-list\"\n"
                   "processing = \"processing_queue\"\n");
        file.close();
        QVERIFY(
            act(declared, m_open.urlText(), u"queue requeue work --all --yes --config "_s + path));
        QVERIFY2(declared.exitCode() == 0, declared.err().constData());
        QCOMPARE(m_open.line("LLEN work").integer, 3);
    }

    void productionNeedsAReason()
    {
        Program without;
        QVERIFY(act(without, m_open.urlText(),
                    u"queue discard jobs --index 1 --yes --environment production"_s));
        QCOMPARE(without.exitCode(), 2);
        QVERIFY(without.err().contains("--reason is required on production"));
        QCOMPARE(m_open.line("LLEN jobs:processing").integer, 3);
        Program with;
        QVERIFY(
            act(with, m_open.urlText(),
                u"queue discard jobs --index 1 --yes --environment production --reason OPS-7"_s));
        QVERIFY2(with.exitCode() == 0, with.err().constData());
        const QJsonObject entry = journal(with, m_open.urlText())[0].toObject();
        QCOMPARE(entry["reason"_L1].toString(), u"OPS-7"_s);
        QCOMPARE(entry["acl_user"_L1].toString(), u"default"_s);
    }

    void productionNeedsAReasonForAutoRequeueToo()
    {
        const QString line =
            u"queue auto-requeue jobs --older-than 1h --for 1s --yes --environment production"_s;
        Program without;
        QVERIFY(act(without, m_open.urlText(), line));
        QCOMPARE(without.exitCode(), 2);
        QVERIFY(without.err().contains("--reason is required on production"));
        Program with;
        QVERIFY(act(with, m_open.urlText(), line + u" --reason OPS-7"_s));
        QVERIFY2(with.exitCode() == 0, with.err().constData());
        QCOMPARE(journal(with, m_open.urlText())[0]["reason"_L1].toString(),
                 u"auto-requeue: OPS-7"_s);
    }

    void anOwnerFromStandardInput()
    {
        Program program;
        QVERIFY(start(program, m_open.urlText(), u"lock release lock:a --owner - --yes"_s));
        program.process.write("w1\n");
        program.process.closeWriteChannel();
        QVERIFY(program.waitForEnd());
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        QCOMPARE(program.err(), QByteArray());
        QCOMPARE(m_open.line("EXISTS lock:a").integer, 0);
    }

    // A value that snapshot hides is not shown in a plan or a conflict either.
    void aHiddenValueStaysHidden()
    {
        const QByteArray value = "{\"card\":\"S3CRET\"}";
        m_open.run({"SET", "lock:a", value, "PX", "600000"});
        Program plan;
        QVERIFY(start(plan, m_open.urlText(), u"lock release lock:a --owner - --dry-run"_s));
        plan.process.write(value);
        plan.process.closeWriteChannel();
        QVERIFY(plan.waitForEnd());
        QVERIFY2(plan.exitCode() == 0, plan.err().constData());
        Program conflict;
        QVERIFY(act(conflict, m_open.urlText(), u"lock release lock:a --owner x --yes"_s));
        QCOMPARE(conflict.exitCode(), 1);
        for (Program* program : {&plan, &conflict})
            QVERIFY2(!(program->out() + program->err()).contains("S3CRET"),
                     program->out().constData());
        QCOMPARE(m_open.line("EXISTS lock:a").integer, 1);
    }

    void passwordStaysSecret()
    {
        Program denied;
        QVERIFY(act(denied, address(), u"queue push jobs --payload x --yes"_s));
        QCOMPARE(denied.exitCode(), 2);
        Program program;
        program.set("LOCKKEEPER_PASSWORD", u"pw-S3CRET"_s);
        QVERIFY(act(program, address(), u"token issue --prefix code: --ttl 1h --yes"_s));
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        QVERIFY(!(program.out() + program.err()).contains("S3CRET"));
        QVERIFY(!contentsOf(program, u"journal.jsonl"_s).isEmpty());
        QDirIterator files(program.home(), QDir::Files | QDir::Hidden,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(!file.readAll().contains("S3CRET"), qPrintable(file.fileName()));
        }
    }

    void issuingATokenAsksAServerAloneForNoCluster()
    {
        QCOMPARE(m_open.line("CONFIG RESETSTAT").text, QByteArray("OK"));
        Program program;
        QVERIFY(act(program, m_open.urlText(), u"token issue --prefix code: --ttl 1h --yes"_s));
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        const QByteArray stats = m_open.line("INFO commandstats").text;
        QVERIFY2(stats.contains("cmdstat_eval"), stats.constData());
        QVERIFY2(!stats.contains("cmdstat_cluster"), stats.constData());
    }

    // By its name in the journal, the last step first; a second time there is nothing left.
    void undoesAGroup()
    {
        Program before;
        before.set("DBUS_SESSION_BUS_ADDRESS", m_keyring.address());
        QVERIFY(act(before, m_open.urlText(), u"lock ttl lock:a --ttl 1h --owner w1 --yes"_s));
        Program second;
        second.set("DBUS_SESSION_BUS_ADDRESS", m_keyring.address());
        QVERIFY(again(second, before, m_open.urlText(), u"lock ttl lock:a --ttl 2h --yes"_s));
        // As the window runs several: both lines of each step name the group.
        QDirIterator files(before.home(), {u"journal.jsonl"_s}, QDir::Files,
                           QDirIterator::Subdirectories);
        QFile file(files.hasNext() ? files.next() : QString());
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray lines = file.readAll();
        lines = '\n' + lines;
        lines.replace("\n{\"", "\n{\"group\":\"g0123456789ab\",\"");
        file.seek(0);
        file.write(lines);
        file.close();
        QVERIFY(m_open.line("TTL lock:a").integer > 3700);
        Program dry;
        dry.set("DBUS_SESSION_BUS_ADDRESS", m_keyring.address());
        QVERIFY(again(dry, before, m_open.urlText(), u"undo g0123456789ab --dry-run"_s));
        QVERIFY2(dry.exitCode() == 0, dry.err().constData());
        QCOMPARE(dry.out().count("Undo lock.ttl of lock:a?"), 2);
        Program undo;
        undo.set("DBUS_SESSION_BUS_ADDRESS", m_keyring.address());
        QVERIFY(again(undo, before, m_open.urlText(), u"undo g0123456789ab --yes"_s));
        QVERIFY2(undo.exitCode() == 0, (undo.out() + undo.err()).constData());
        QVERIFY(isAbout(m_open.line("TTL lock:a").integer, 600));
        const QJsonArray entries = journal(before, m_open.urlText());
        QCOMPARE(entries.size(), 4);
        QVERIFY(entries[2][u"group"_s].toString().startsWith(u'g'));
        QCOMPARE(entries[2][u"group"_s], entries[3][u"group"_s]);
        QCOMPARE(entries[2][u"undoes"_s], entries[1][u"receipt"_s]);
        Program none;
        none.set("DBUS_SESSION_BUS_ADDRESS", m_keyring.address());
        QVERIFY(again(none, before, m_open.urlText(), u"undo g0123456789ab --yes"_s));
        QCOMPARE(none.exitCode(), 1);
        QVERIFY(none.err().contains("can be undone any more"));
    }

    void wrongAddresses_data()
    {
        QTest::addColumn<QString>("url");
        QTest::newRow("scheme") << u"http://localhost"_s;
        QTest::newRow("nobody there") << u"unix:///nowhere/r.sock"_s;
        QTest::newRow("port") << u"redis://localhost:99999"_s;
    }
    void wrongAddresses()
    {
        QFETCH(QString, url);
        Program program;
        QVERIFY(act(program, url, u"lock release lock:a --owner w1 --yes"_s));
        QCOMPARE(program.exitCode(), 2);
        QCOMPARE(program.out(), QByteArray());
        QCOMPARE(program.err().count('\n'), program.err().trimmed().count('\n') + 1);
        QVERIFY(program.err().startsWith("lockkeeper: "));
    }

    void anEmptyPayloadIsNoJob()
    {
        for (const bool file : {false, true}) {
            Program program;
            const QString path = program.home() + u"/empty"_s;
            QFile empty(path);
            QVERIFY(empty.open(QIODevice::WriteOnly));
            const qint64 before = m_open.line("LLEN jobs").integer;
            QVERIFY(start(program, m_open.urlText(),
                          u"queue push jobs --yes --payload-file "_s + (file ? path : u"-"_s)));
            program.process.closeWriteChannel();
            QVERIFY(program.waitForEnd());
            QCOMPARE(program.exitCode(), 2);
            QVERIFY2(program.err().contains("empty; nothing was changed"),
                     program.err().constData());
            QCOMPARE(program.err().count('\n'), 1);
            QCOMPARE(m_open.line("LLEN jobs").integer, before);
        }
    }

private:
    static bool isAbout(qint64 seconds, qint64 expected)
    {
        return seconds <= expected && seconds > expected - 20;
    }
    QString address() const { return u"redis://127.0.0.1:%1"_s.arg(m_server.port()); }

    static QByteArray contentsOf(const Program& program, const QString& name)
    {
        QDirIterator files(program.home(), {name}, QDir::Files, QDirIterator::Subdirectories);
        QFile file(files.hasNext() ? files.next() : QString());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    test::Keyring m_keyring;
    test::RedisServer m_open;
    test::RedisServer m_server; ///< with a password
};

LK_TEST(TestAct);
#include "tst_act.moc"
