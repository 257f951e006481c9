// SPDX-License-Identifier: GPL-3.0-or-later
// The [check] of a configuration file.
#include "backend/config/config.h"
#include "tests/support/testprogram.h"

#include <QtTest>

using namespace lk;

class TestFindingSettings : public QObject
{
    Q_OBJECT

private slots:
    void everythingThatMayBeWritten();
    void nothingIsTheDefaults();
    void refusals_data();
    void refusals();
};

void TestFindingSettings::everythingThatMayBeWritten()
{
    const auto config = parseConfig(R"(
[[lock]]
key = "lock:*"
layout = "set-nx-px"

[check]
silence = ["token-used-twice", "lock-expired"]

[check.thresholds]
token_ttl = "2d"
lock_lease = "1h"
retry_horizon = "10s"
stuck_after = "45s"
clock_skew = "500ms"
idle_after = "12h"
big_key = "512KB"
code_bits = 64
backlog = 5000
wake_ups = 50
)",
                                    QStringLiteral("a.toml"));
    QVERIFY2(config, config ? "" : qPrintable(config.error().detail));
    QCOMPARE(config->declarations.size(), size_t(1));
    QCOMPARE(config->check.silence, (QByteArrayList{"token-used-twice", "lock-expired"}));
    const CheckThresholds& t = config->check.thresholds;
    QCOMPARE(t.tokenTtlMs, qint64(172'800'000));
    QCOMPARE(t.lockLeaseMs, qint64(3'600'000));
    QCOMPARE(t.retryHorizonMs, qint64(10'000));
    QCOMPARE(t.stuckAfterMs, qint64(45'000));
    QCOMPARE(t.clockSkewMs, qint64(500));
    QCOMPARE(t.idleAfterMs, qint64(43'200'000));
    QCOMPARE(t.bigKeyBytes, qint64(524'288));
    QCOMPARE(t.codeBits, qint64(64));
    QCOMPARE(t.backlog, qint64(5000));
    QCOMPARE(t.wakeUps, qint64(50));
}

void TestFindingSettings::nothingIsTheDefaults()
{
    for (const char* text : {"", "[check]\n", "[check]\nsilence = []\n", "[check.thresholds]\n"}) {
        const auto config = parseConfig(text, QStringLiteral("a.toml"));
        QVERIFY2(config, text);
        QVERIFY(config->check.thresholds == CheckThresholds());
        QVERIFY(config->check.silence.isEmpty());
    }
}

void TestFindingSettings::refusals_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("line");
    QTest::addColumn<QByteArrayList>("words");
    const auto row = [](const char* title, const QByteArray& text, int line, QByteArrayList words) {
        QTest::newRow(title) << text << line << words;
    };
    const QByteArray limits = "[check.thresholds]\n";
    row("as a list of tables", "[[check]]\n", 1, {"[check]"});
    row("a value", "check = 5\n", 1, {"[check]"});
    row("unknown key", "[check]\nsilense = []\n", 2, {"silense", "did you mean \"silence\""});
    row("one code without brackets", "[check]\nsilence = \"lock-expired\"\n", 2,
        {"list", "[\"lock-expired\"]"});
    row("a number among the codes", "[check]\nsilence = [5]\n", 2, {"list"});
    row("unknown code", "[check]\nsilence = [\n\"lock-expired\",\n\"lock-expird\"]\n", 4,
        {"lock-expird", "did you mean \"lock-expired\"", "ghost-token"});
    row("thresholds as a value", "[check]\nthresholds = 5\n", 2, {"[check.thresholds]"});
    row("unknown threshold", limits + "token_tll = \"1d\"\n", 2,
        {"token_tll", "did you mean \"token_ttl\"", "big_key"});
    row("a number for a duration", limits + "\ntoken_ttl = 30\n", 3, {"token_ttl", "\"30d\""});
    row("no duration", limits + "token_ttl = \"30 days\"\n", 2, {"token_ttl"});
    row("no size", limits + "big_key = \"big\"\n", 2, {"big_key", "\"10MB\""});
    row("a number for a size", limits + "big_key = 10\n", 2, {"big_key", "\"10MB\""});
    row("nothing at all", limits + "big_key = \"0MB\"\n", 2, {"big_key"});
    row("a size beyond all", limits + "big_key = \"9000000000TB\"\n", 2, {"big_key"});
    row("no count", limits + "code_bits = \"40\"\n", 2, {"code_bits", "40"});
    row("a count below one", limits + "code_bits = 0\n", 2, {"code_bits"});
}

void TestFindingSettings::refusals()
{
    QFETCH(QByteArray, text);
    QFETCH(int, line);
    QFETCH(QByteArrayList, words);
    const auto config = parseConfig(text, QStringLiteral("conf/a.toml"));
    QVERIFY(!config);
    QCOMPARE(config.error().code, ErrorCode::BadConfig);
    const QString detail = config.error().detail;
    QVERIFY2(detail.startsWith(QStringLiteral("conf/a.toml:%1: ").arg(line)), qPrintable(detail));
    for (const QByteArray& word : words)
        QVERIFY2(detail.contains(QString::fromUtf8(word)), qPrintable(detail));
}

LK_TEST(TestFindingSettings);
#include "tst_findingsettings.moc"
