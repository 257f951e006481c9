// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/time/moment.h"
#include "tests/support/testprogram.h"

#include <QDateTime>
#include <QTest>

using namespace lk;

class TestMoment : public QObject
{
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void aTimeThatClocksLeaveOutIsTheNext();
    void readsWhatIsToCome_data();
    void readsWhatIsToCome();
};

namespace {

const QTimeZone utc = QTimeZone::utc();

qint64 at(const char* iso)
{
    return QDateTime::fromString(QLatin1String(iso), Qt::ISODateWithMs).toMSecsSinceEpoch();
}

} // namespace

void TestMoment::reads_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("zone");
    QTest::addColumn<qint64>("ms");
    const auto row = [](const char* text, const char* iso, const char* zone = "UTC") {
        QTest::addRow("%s in %s", text, zone)
            << QString::fromLatin1(text) << QByteArray(zone) << at(iso);
    };
    // Seen from noon of the first of March.
    row("2026-02-28T03:12", "2026-02-28T03:12:00Z");
    row("2026-02-28 03:12:30", "2026-02-28T03:12:30Z");
    row("2026-02-28T03:12:30.250", "2026-02-28T03:12:30.250Z");
    row("2026-02-28T03:12Z", "2026-02-28T03:12:00Z", "Europe/Berlin");
    row("2026-02-28T03:12+02:00", "2026-02-28T01:12:00Z");
    row("2026-02-28T03:12", "2026-02-28T02:12:00Z", "Europe/Berlin");
    row("2026-02-28", "2026-02-28T00:00:00Z");
    row("03:12", "2026-03-01T03:12:00Z");
    row("3:12", "2026-03-01T03:12:00Z");
    row("12:00", "2026-03-01T12:00:00Z");
    row("12:00:01", "2026-02-28T12:00:01Z"); // that of today has still to come
    row("23:59", "2026-02-28T23:59:00Z");
    row("00:30", "2026-02-28T23:30:00Z", "Europe/Berlin");
    row("-2h", "2026-03-01T10:00:00Z");
    row("-90m", "2026-03-01T10:30:00Z");
    row(" -1d ", "2026-02-28T12:00:00Z");
    row("now", "2026-03-01T12:00:00Z");
}

void TestMoment::reads()
{
    QFETCH(QString, text);
    QFETCH(QByteArray, zone);
    QFETCH(qint64, ms);
    const Result<qint64> read = parseMoment(text, at("2026-03-01T12:00:00Z"), QTimeZone(zone));
    QVERIFY2(read, read ? "" : qPrintable(read.error().detail));
    QCOMPARE(*read, ms);
}

void TestMoment::refuses_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"", "2h", "-", "-2", "24:00", "03:60", "03", "2026-13-01", "2026-02-30",
          "2026-03-01T25:00", "yesterday", "-99999999d", "1969-01-01", "03:12 tomorrow"})
        QTest::newRow(*text ? text : "empty") << QString::fromLatin1(text);
}

void TestMoment::refuses()
{
    QFETCH(QString, text);
    const Result<qint64> read = parseMoment(text, at("2026-03-01T12:00:00Z"), utc);
    QVERIFY(!read);
    QCOMPARE(read.error().code, ErrorCode::BadArgument);
    QVERIFY(read.error().detail.contains(QLatin1Char('"') + text + QLatin1Char('"')));
}

void TestMoment::aTimeThatClocksLeaveOutIsTheNext()
{
    // In Berlin 02:30 of that morning does not exist: clocks go from 02:00 to 03:00.
    const Result<qint64> read =
        parseMoment(u"2026-03-29T02:30", at("2026-03-30T12:00:00Z"), QTimeZone("Europe/Berlin"));
    QVERIFY(read);
    QCOMPARE(*read, at("2026-03-29T01:30:00Z"));
}

void TestMoment::readsWhatIsToCome_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("ms"); // 0: refused
    const auto row = [](const char* text, const char* iso = nullptr) {
        QTest::newRow(text) << QString::fromLatin1(text) << (iso ? at(iso) : 0);
    };
    // Seen from noon of the first of March.
    row("+2h", "2026-03-01T14:00:00Z");
    row(" 90m ", "2026-03-01T13:30:00Z");
    row("06:00", "2026-03-02T06:00:00Z");
    row("12:00", "2026-03-02T12:00:00Z");
    row("12:00:01", "2026-03-01T12:00:01Z");
    row("2026-03-03", "2026-03-03T00:00:00Z");
    row("2026-03-01T18:00", "2026-03-01T18:00:00Z");
    row("2026-03-01T11:00");
    row("-2h");
    row("now");
    row("");
    row("soon");
    row("0s");
}

void TestMoment::readsWhatIsToCome()
{
    QFETCH(QString, text);
    QFETCH(qint64, ms);
    const Result<qint64> read = parseMomentAhead(text, at("2026-03-01T12:00:00Z"), utc);
    QCOMPARE(read.value_or(0), ms);
    if (ms == 0)
        QVERIFY(read.error().detail.contains(QLatin1Char('"') + text + QLatin1Char('"')));
}

LK_TEST(TestMoment);
#include "tst_moment.moc"
