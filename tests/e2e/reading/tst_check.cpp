// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/e2e/prometheustext.h"
#include "tests/support/faultserver.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QRegularExpression>

using namespace lk;
using namespace Qt::StringLiterals;
using test::problemIn;
using test::Program;

/// `lockkeeper check` as a cron job runs it.
class TestCheckCommand : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY2(m_server.start(), m_server.output());
        QVERIFY2(m_clean.start(), m_clean.output());
        m_server.lines({"SET lock:orphan S3CRET-owner",
                        "HINCRBY user_token:S3CRET8a1c0d77b used_by 1",
                        "SETEX code:c17bd6 3600000 S3CRET-payload"});
        m_server.run({"SET", "lock:it's", "S3CRET-owner"});
        m_clean.lines({"SET lock:a ef1f63c NX PX 600000", "SET cache:page:1 html"});
    }

    void nothingIsWrong();
    void exitCodes_data();
    void exitCodes();
    void text();
    void json();
    void twoLooksFindWhatIsStuck();
    void whatItSuggestsRuns();
    void prometheus();
    void prometheusOfNothing();
    void silence();
    void wrongUse_data();
    void wrongUse();
    void notAllIsRead_data();
    void notAllIsRead();
    void noProgressEndsIt();
    void onlyReads();

private:
    QString config(Program& program, const QByteArray& text)
    {
        const QString path = program.home() + u"/check.toml"_s;
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(text);
        return path;
    }

    test::RedisServer m_server;
    test::RedisServer m_clean;
};

void TestCheckCommand::nothingIsWrong()
{
    Program program;
    QVERIFY(program.run({u"check"_s, m_clean.urlText(), u"--fail-on"_s, u"info"_s}));
    QCOMPARE(program.exitCode(), 0);
    QCOMPARE(program.err(), QByteArray());
    QVERIFY(program.out().contains("Errors: 0, warnings: 0, info: 0, silenced: 0"));
    QVERIFY(program.out().contains("Scanned 2 keys: 1 detected, 1 not recognized, 0 skipped."));
}

void TestCheckCommand::exitCodes_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("settings");
    QTest::addColumn<int>("code");
    const auto row = [](const char* title, QStringList arguments, QByteArray settings, int code) {
        QTest::newRow(title) << arguments << settings << code;
    };
    const QByteArray noErrors = "[check]\nsilence = [\"lock-without-ttl\", \"ghost-token\"]\n";
    const QByteArray onlyInfo =
        "[check]\nsilence = [\"lock-without-ttl\", \"ghost-token\", \"token-ttl-too-long\"]\n";
    row("errors", {}, {}, 1);
    const QByteArray declared = "[[lock]]\nkey = \"lock:*\"\nlayout = \"set-nx-px\"\n";
    row("errors, asked for", {u"--fail-on=error"_s}, declared, 1);
    row("what is merely likely, errors asked for", {u"--fail-on=error"_s},
        "[check]\nsilence = [\"ghost-token\"]\n", 0);
    row("warnings", {}, noErrors, 1);
    row("warnings, errors asked for", {u"--fail-on"_s, u"error"_s}, noErrors, 0);
    row("infos", {}, onlyInfo, 0);
    row("infos, asked for", {u"--fail-on"_s, u"info"_s}, onlyInfo, 1);
    row("infos as JSON", {u"--format"_s, u"json"_s}, onlyInfo, 0);
    row("errors as Prometheus", {u"--format"_s, u"prometheus"_s}, {}, 1);
    row("a wrong configuration", {}, "[check]\nsilence = [\"x\"]\n", 2);
}

void TestCheckCommand::exitCodes()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, settings);
    QFETCH(int, code);
    Program program;
    arguments =
        QStringList{u"check"_s, m_server.urlText(), u"--config"_s, config(program, settings)} +
        arguments;
    QVERIFY(program.run(arguments));
    QCOMPARE(program.exitCode(), code);
    QCOMPARE(program.err().isEmpty(), code != 2);
    QCOMPARE(program.out().isEmpty(), code == 2);
}

void TestCheckCommand::text()
{
    Program program;
    QVERIFY(program.run({u"check"_s, m_server.urlText()}));
    const QByteArray out = program.out();
    const char* const expected[] = {
        "error  ghost-token (1)",
        "run:   lockkeeper act URL token cleanup 'user_token:S3\xe2\x80\xa6#",
        "warning  lock-without-ttl (2)",
        "lock:orphan",
        "why:   If the owner is dead",
        "do:    Set a TTL",
        "run:   lockkeeper act URL lock ttl NAME --ttl TTL",
        "warning  token-ttl-too-long (1)",
        "41 d 1",
        "run:   lockkeeper act URL key ttl NAME --ttl TTL",
        "Errors: 1, warnings: 3, info: 1, silenced: 0",
        "Scanned 4 keys: 4 detected, 0 not recognized, 0 skipped.",
    };
    qsizetype at = 0; // in this order
    for (const char* part : expected) {
        at = out.indexOf(part, at);
        QVERIFY2(at >= 0, qPrintable(QString::fromUtf8(part + QByteArray("\n") + out)));
    }
    QVERIFY(out.contains("info  token-codes-short (1)"));
    QCOMPARE(out.count("why:"), 4); // once for each code
    QVERIFY(!out.contains("S3CRET"));
}

void TestCheckCommand::json()
{
    Program program;
    QVERIFY(program.run({u"check"_s, m_server.urlText(), u"--format"_s, u"json"_s}));
    QJsonParseError error;
    const QJsonObject root = QJsonDocument::fromJson(program.out(), &error).object();
    QCOMPARE(error.error, QJsonParseError::NoError);
    QCOMPARE(root["schema"_L1].toInt(), 2);
    QVERIFY(!root["server"_L1]["version"_L1].toString().isEmpty());
    QCOMPARE(root["scan"_L1]["keys_scanned"_L1].toInt(), 4);
    QCOMPARE(root["silenced"_L1].toInt(), 0);
    QStringList codes;
    for (const QJsonValue& v : root["findings"_L1].toArray()) {
        codes << v["code"_L1].toString();
        for (const char* field : {"severity", "name", "key", "message", "why", "advice"})
            QVERIFY2(!v[QLatin1String(field)].toString().isEmpty(), field);
        QVERIFY(v.toObject().contains("action"_L1));
    }
    QCOMPARE(codes, (QStringList{u"ghost-token"_s, u"lock-without-ttl"_s, u"lock-without-ttl"_s,
                                 u"token-ttl-too-long"_s, u"token-codes-short"_s}));
    QVERIFY(!program.out().contains("S3CRET"));
}

// A look keeps the ages of items for the next one, as from one run of a cron job to another.
void TestCheckCommand::twoLooksFindWhatIsStuck()
{
    test::RedisServer server;
    QVERIFY(server.start());
    server.lines({"RPUSH jobs a", "RPUSH jobs:processing b"});
    Program program;
    const QStringList check{u"check"_s, server.urlText(), u"--config"_s,
                            config(program, "[check.thresholds]\nstuck_after = \"1ms\"\n")};
    QVERIFY(program.run(check));
    QCOMPARE(program.exitCode(), 0);
    QVERIFY(program.run(check));
    QVERIFY2(program.exitCode() == 1, program.out().constData());
    QVERIFY(program.out().contains("queue-stuck (1)"));
    QVERIFY2(program.out().contains("act URL queue requeue jobs --older-than TIME\n"),
             program.out().constData());
    server.line("DEL jobs:processing");
    QVERIFY(program.run(check));
    QCOMPARE(program.exitCode(), 0);
}

// As it is printed, with the words in capitals filled in.
void TestCheckCommand::whatItSuggestsRuns()
{
    test::RedisServer server;
    QVERIFY(server.start());
    server.lines({"SET lock:orphan ef1f63c", "SET app:rate_limit 4", "RPUSH jobs a b",
                  "RPUSH jobs:processing c c"});
    Program program;
    const QByteArray settings = "[check.thresholds]\nstuck_after = \"1ms\"\n[[limiter]]\nkey = "
                                "\"app:rate_limit\"\nlayout = \"fixed-window\"\nlimit = 5\n";
    const QStringList check{u"check"_s, server.urlText(), u"--config"_s, config(program, settings)};
    QVERIFY(program.run(check));
    QVERIFY(program.run(check)); // more than a millisecond later
    const QString out = QString::fromUtf8(program.out());
    for (const char* command :
         {"limiter repair app:rate_limit --ttl TTL", "queue requeue jobs --older-than TIME",
          "queue discard jobs --index N", "lock ttl lock:orphan --ttl TTL"})
        QVERIFY2(out.contains(QLatin1String(command)), qPrintable(out));
    QRegularExpressionMatchIterator lines =
        QRegularExpression(u"run: +lockkeeper (.*)"_s).globalMatch(out);
    int seen = 0;
    while (lines.hasNext()) {
        QStringList words = lines.next().captured(1).split(u' ');
        words.replaceInStrings(QRegularExpression(u"^(TTL|TIME)$"_s), u"1ms"_s);
        words.replaceInStrings(QRegularExpression(u"^N$"_s), u"1"_s);
        words.replaceInStrings(QRegularExpression(u"^URL$"_s), server.urlText());
        Program act;
        QVERIFY(act.run(words + QStringList{u"--dry-run"_s, u"--config"_s, check.last()}));
        // Ages are another matter: to each program of this test those jobs are new.
        const int worst = words.contains(u"--older-than"_s) ? 1 : 0;
        QVERIFY2(act.exitCode() <= worst, (words.join(u' ').toUtf8() + act.err()).constData());
        ++seen;
    }
    QCOMPARE(seen, 4);
}

void TestCheckCommand::prometheus()
{
    Program program;
    QVERIFY(program.run({u"check"_s, m_server.urlText(), u"--format=prometheus"_s, u"--config"_s,
                         config(program, "[check]\nsilence = [\"ghost-token\"]\n")}));
    QMap<QByteArray, double> samples;
    const QByteArray problem = problemIn(program.out(), samples);
    QVERIFY2(problem.isEmpty(), problem.constData());
    const auto of = [&](const char* code, const char* severity) {
        return samples.value(QByteArray("lockkeeper_findings{code=\"") + code + "\",severity=\"" +
                                 severity + "\"}",
                             -1);
    };
    QCOMPARE(of("lock-without-ttl", "warning"), 2.0); // likely locks, and no more
    QCOMPARE(of("lock-without-ttl", "error"), 0.0);
    QCOMPARE(of("token-ttl-too-long", "warning"), 1.0);
    QCOMPARE(of("token-codes-short", "info"), 1.0);
    QCOMPARE(of("ghost-token", "error"), 0.0);       // silenced
    QCOMPARE(of("queue-stuck", "error"), 0.0);       // looked for, not seen
    QCOMPARE(of("lock-abandoned", "warning"), -1.0); // one look cannot tell: not said to be none
    QCOMPARE(samples.value("lockkeeper_findings_silenced", -1), 1.0);
    QCOMPARE(samples.value("lockkeeper_scanned_keys", -1), 4.0);
    QCOMPARE(samples.value("lockkeeper_claimed_keys", -1), 4.0);
    QCOMPARE(samples.value("lockkeeper_skipped_keys", -1), 0.0);
    const double now = double(QDateTime::currentSecsSinceEpoch());
    QVERIFY(std::abs(samples.value("lockkeeper_check_timestamp_seconds") - now) < 60);
    // No name of a key: a token's is a secret.
    for (const char* name : {"S3CRET", "c17bd6", "orphan"})
        QVERIFY2(!program.out().contains(name), name);
}

void TestCheckCommand::prometheusOfNothing()
{
    Program program;
    QVERIFY(program.run({u"check"_s, m_clean.urlText(), u"--format=prometheus"_s}));
    QCOMPARE(program.exitCode(), 0);
    QMap<QByteArray, double> samples;
    QCOMPARE(problemIn(program.out(), samples), QByteArray());
    int known = 0;
    for (auto it = samples.begin(); it != samples.end(); ++it) {
        if (!it.key().startsWith("lockkeeper_findings{"))
            continue;
        ++known;
        QCOMPARE(it.value(), 0.0);
    }
    QVERIFY(known >= 20);
}

void TestCheckCommand::silence()
{
    Program program;
    QVERIFY(program.run({u"check"_s, m_server.urlText(), u"--config"_s,
                         config(program, "[check]\nsilence = [\"lock-without-ttl\"]\n")}));
    QVERIFY(!program.out().contains("lock:orphan"));
    QVERIFY2(program.out().contains("silenced: 2 (lock-without-ttl 2)"), program.out().constData());
}

void TestCheckCommand::wrongUse_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](QStringList arguments, const char* said) {
        QTest::newRow(qPrintable(arguments.join(u' '))) << arguments << QByteArray(said);
    };
    row({u"check"_s}, "needs an address");
    row({u"check"_s, u"--demo"_s}, "Unknown option --demo");
    row({u"check"_s, u"unix:///nowhere.sock"_s}, "nowhere.sock");
    row({u"check"_s, u"redis://h"_s, u"--format"_s, u"xml"_s}, "prometheus");
    row({u"check"_s, u"redis://h"_s, u"--fail-on"_s, u"fatal"_s}, "info, warning or error");
    row({u"snapshot"_s, u"redis://h"_s, u"--fail-on"_s, u"info"_s}, "Unknown option --fail-on");
    row({u"snapshot"_s, u"redis://h"_s, u"--format"_s, u"prometheus"_s}, "is only for check");
    row({u"snapshot"_s, u"redis://h"_s, u"--allow-partial"_s}, "Unknown option --allow-partial");
    row({u"check"_s, u"redis://h"_s, u"--timeout"_s, u"soon"_s}, "--timeout takes a duration");
    row({u"screenshots"_s, u"redis://h"_s, u"d"_s, u"--timeout"_s, u"5s"_s},
        "Unknown option --timeout");
    row({u"check"_s, u"redis://h"_s, u"--config"_s, u"/nowhere.toml"_s}, "nowhere.toml");
}

void TestCheckCommand::wrongUse()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, said);
    Program program;
    QVERIFY(program.run(arguments));
    QCOMPARE(program.exitCode(), 2);
    QCOMPARE(program.out(), QByteArray());
    QVERIFY2(program.err().contains(said), program.err().constData());
    QCOMPARE(program.err().count('\n'), 1);
}

void TestCheckCommand::notAllIsRead_data()
{
    QTest::addColumn<QByteArray>("rules");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("complete");
    const QByteArray noRanges = "+@all ~* -lrange";
    QTest::newRow("all") << QByteArray("+@all ~*") << QStringList() << 0 << 1;
    QTest::newRow("a command") << noRanges << QStringList() << 2 << 0;
    QTest::newRow("keys") << QByteArray("+@all ~lock:*") << QStringList() << 2 << 0;
    const QByteArray noKey = "+@all ~zzz*";
    QTest::newRow("every key") << noKey << QStringList() << 2 << 0;
    QTest::newRow("every key, accepted")
        << noKey << QStringList{u"--allow-partial"_s, u"--fail-on=error"_s} << 0 << 0;
    QTest::newRow("accepted") << noRanges << QStringList{u"--allow-partial"_s, u"--fail-on=error"_s}
                              << 0 << 0;
    QTest::newRow("accepted, as a warning")
        << noRanges << QStringList{u"--allow-partial"_s} << 1 << 0;
}

void TestCheckCommand::notAllIsRead()
{
    QFETCH(QByteArray, rules);
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(int, complete);
    test::RedisServer server;
    QVERIFY(server.start());
    server.lines({"RPUSH jobs a", "RPUSH jobs:processing b", "SET lock:a ef1f63c PX 600000"});
    QVERIFY(!server.line("ACL SETUSER some reset on >pw " + rules).isError());
    QString url = server.urlText();
    url.replace(u"unix://"_s, u"unix://some:pw@"_s);
    Program text;
    QVERIFY(text.run(QStringList{u"check"_s, url} + arguments));
    QCOMPARE(text.exitCode(), code);
    QVERIFY(text.out().contains("Errors: "));
    QCOMPARE(text.out().contains("not-readable"), complete == 0);
    QCOMPARE(text.err().count('\n'), code == 2 ? 1 : 0);
    QCOMPARE(text.err().contains("--allow-partial"), code == 2);
    Program json;
    QVERIFY(json.run(QStringList{u"check"_s, url, u"--format=json"_s} + arguments));
    QCOMPARE(json.exitCode(), code);
    const QJsonObject scan = QJsonDocument::fromJson(json.out())["scan"_L1].toObject();
    QCOMPARE(scan["complete"_L1].toBool(), complete == 1);
    QCOMPARE(scan["missing"_L1].toArray().isEmpty(), complete == 1);
    Program gauges;
    QVERIFY(gauges.run(QStringList{u"check"_s, url, u"--format=prometheus"_s} + arguments));
    QMap<QByteArray, double> samples;
    QCOMPARE(problemIn(gauges.out(), samples), QByteArray());
    QCOMPARE(samples.value("lockkeeper_check_complete", -1), double(complete));
}

// Cron starts the next one whether this one has ended or not.
void TestCheckCommand::noProgressEndsIt()
{
    for (const QString& command : {u"check"_s, u"snapshot"_s}) {
        test::FaultServer server;
        server.answer("TIME", "*2\r\n$10\r\n1700000000\r\n$1\r\n0\r\n");
        server.answer("SCAN", QByteArray()); // nothing, ever
        Program program;
        QVERIFY(program.run({command, u"redis://127.0.0.1:%1"_s.arg(server.url().port),
                             u"--timeout"_s, u"500ms"_s}));
        QCOMPARE(program.exitCode(), 2);
        QCOMPARE(program.out(), QByteArray());
        QVERIFY2(program.err().contains("no progress for 500 ms"), program.err().constData());
        QCOMPARE(program.err().count('\n'), 1);
    }
}

void TestCheckCommand::onlyReads()
{
    m_server.line("CONFIG RESETSTAT");
    const QByteArray before = m_server.line("DEBUG DIGEST").text;
    Program program;
    QVERIFY(program.run({u"check"_s, m_server.urlText()}));
    QCOMPARE(m_server.line("DEBUG DIGEST").text, before);
    const QByteArray stats = m_server.line("INFO commandstats").text;
    for (const char* write :
         {"cmdstat_set", "cmdstat_del", "cmdstat_eval", "cmdstat_expire", "cmdstat_keys"})
        QVERIFY2(!stats.contains(QByteArray(write) + ':'), write);
}

LK_TEST(TestCheckCommand);
#include "tst_check.moc"
