// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/time/duration.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <ctime>

using namespace lk;

class TestDuration : public QObject
{
    Q_OBJECT

private slots:
    void parses_data();
    void parses();
    void refuses_data();
    void refuses();
    void formats_data();
    void formats();
    void shorter();
    void moments();
};

void TestDuration::parses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("ms");
    QTest::newRow("ms") << QStringLiteral("250ms") << qint64(250);
    QTest::newRow("s") << QStringLiteral("1s") << qint64(1000);
    QTest::newRow("m") << QStringLiteral("10m") << qint64(600'000);
    QTest::newRow("h") << QStringLiteral("24h") << qint64(86'400'000);
    QTest::newRow("d") << QStringLiteral("7d") << qint64(604'800'000);
    QTest::newRow("spaces around") << QStringLiteral(" 1s ") << qint64(1000);
    QTest::newRow("a century") << QStringLiteral("36600d") << qint64(36600) * 86'400'000;
}

void TestDuration::parses()
{
    QFETCH(QString, text);
    QFETCH(qint64, ms);
    const Result<qint64> parsed = parseDuration(text);
    QVERIFY(parsed);
    QCOMPARE(*parsed, ms);
}

void TestDuration::refuses_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text : {"",
                             " ",
                             "s",
                             "ms",
                             "10",
                             "1.5s",
                             "1,5s",
                             "-1s",
                             "0s",
                             "0ms",
                             "1w",
                             "1S",
                             "1 s 2 ms",
                             "1m30s",
                             "1e3s",
                             "abc",
                             "36601d",
                             "9223372036854775807d",
                             "99999999999999999999s",
                             "ten s"})
        QTest::newRow(*text ? text : "empty") << QString::fromLatin1(text);
}

void TestDuration::refuses()
{
    QFETCH(QString, text);
    const Result<qint64> parsed = parseDuration(text);
    QVERIFY(!parsed);
    QCOMPARE(parsed.error().code, ErrorCode::BadArgument);
    QVERIFY(parsed.error().detail.contains(QLatin1Char('"') + text + QLatin1Char('"')));
}

void TestDuration::formats_data()
{
    QTest::addColumn<qint64>("ms");
    QTest::addColumn<QString>("text");
    const auto row = [](qint64 ms, const char* text) {
        QTest::addRow("%s of %lld ms", text, ms) << ms << QString::fromUtf8(text);
    };
    constexpr qint64 s = 1000;
    constexpr qint64 m = 60 * s;
    constexpr qint64 h = 60 * m;
    constexpr qint64 d = 24 * h;
    row(0, "0 ms");
    row(594, "594 ms");
    row(999, "999 ms");
    row(s, "1 s");
    row(1200, "1.2 s");
    row(9999, "9.9 s");
    row(10 * s + 500, "10 s");
    row(m - 1, "59 s");
    row(m, "1 m");
    row(72 * s, "1 m 12 s");
    row(h - 1, "59 m 59 s");
    row(h, "1 h");
    row(h + 59 * s, "1 h");
    row(2 * h + 5 * m, "2 h 5 m");
    row(d, "1 d");
    row(3 * d + 4 * h + 59 * m, "3 d 4 h");
    row(400 * d, "400 d");
    row(-594, "\u2212594 ms");
    row(-72 * s, "\u22121 m 12 s");
}

void TestDuration::formats()
{
    QFETCH(qint64, ms);
    QFETCH(QString, text);
    QCOMPARE(formatDuration(ms), text);
    QCOMPARE(formatDurationShort(ms), text.remove(QLatin1Char(' ')));
}

// The smaller unit goes before a digit does.
void TestDuration::shorter()
{
    QCOMPARE(shorterForms(formatDuration(892'000)),
             (QStringList{QStringLiteral("14 m 52 s"), QStringLiteral("14 m")}));
    QCOMPARE(shorterForms(QStringLiteral("\u2265\u2009") + formatDuration(72'000)).last(),
             QStringLiteral("\u2265\u20091 m"));
    QCOMPARE(shorterForms(formatDuration(9'600)).last(), QStringLiteral("9 s"));
    for (const char* whole : {"594 ms", "59 s", "now", "\u2013", "no TTL"})
        QCOMPARE(shorterForms(QString::fromUtf8(whole)), QStringList{QString::fromUtf8(whole)});
}

void TestDuration::moments()
{
    qputenv("TZ", "UTC");
    tzset();
    QCOMPARE(momentText(1'700'000'000'000), QStringLiteral("2023-11-14 22:13:20 UTC"));
    qputenv("TZ", "Asia/Tokyo");
    tzset();
    const QString told = momentText(1'700'000'000'000);
    qputenv("TZ", "UTC");
    tzset();
    QVERIFY2(told.startsWith(QStringLiteral("2023-11-15 07:13:20 ")) &&
                 told.endsWith(QStringLiteral("(2023-11-14 22:13:20 UTC)")),
             qPrintable(told));
}

LK_TEST(TestDuration);
#include "tst_duration.moc"
