// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/time/ttlfilter.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

class tst_TtlFilter : public QObject
{
    Q_OBJECT

private slots:
    void takesItsTermsAlone_data();
    void takesItsTermsAlone();
    void fitsWhatEndsThen_data();
    void fitsWhatEndsThen();
    void writesWhatItReads();
    void whatHasEndedEndsNoMore();
};

void tst_TtlFilter::takesItsTermsAlone_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("left");
    QTest::addColumn<bool>("empty");
    const auto row = [](const char* typed, const char* left, bool empty) {
        QTest::newRow(typed) << QString::fromLatin1(typed) << QString::fromLatin1(left) << empty;
    };
    row("ttl<1m", "", false);
    row("TTL>=10S ttl<5m", "", false);
    row("code:* ttl=none", "code:*", false);
    row("ttl<1m lock one", "lock one", false);
    // Names, and what is not typed to its end yet.
    row("ttl", "ttl", true);
    row("ttl<", "ttl<", true);
    row("ttl<1", "ttl<1", true);
    row("ttl<0s", "ttl<0s", true);
    row("ttl<99999999999d", "ttl<99999999999d", true);
    row("ttl=5m", "ttl=5m", true);
    row("cache:ttl<1m", "cache:ttl<1m", true);
    row("ttl<1m:x", "ttl<1m:x", true);
    row(" two  words ", " two  words ", true);
}

void tst_TtlFilter::takesItsTermsAlone()
{
    QFETCH(QString, typed);
    const TtlFilter filter = TtlFilter::takenFrom(typed);
    QTEST(typed, "left");
    QTEST(filter.isEmpty(), "empty");
}

void tst_TtlFilter::fitsWhatEndsThen_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<qint64>("leftMs"); // -1: it never ends
    QTest::addColumn<bool>("fits");
    const auto row = [](const char* typed, qint64 leftMs, bool fits) {
        QTest::addRow("%s %lld", typed, static_cast<long long>(leftMs))
            << QString::fromLatin1(typed) << leftMs << fits;
    };
    row("ttl<1m", 59'999, true);
    row("ttl<1m", 60'000, false);
    row("ttl<=1m", 60'000, true);
    row("ttl>1m", 60'000, false);
    row("ttl>=1m", 60'000, true);
    row("ttl>=1m ttl<2m", 119'999, true);
    row("ttl>=1m ttl<2m", 120'000, false);
    row("ttl<1m", -1, false);
    row("ttl>1m", -1, false);
    row("ttl=none", -1, true);
    row("ttl=none", 1000, false);
}

void tst_TtlFilter::fitsWhatEndsThen()
{
    QFETCH(QString, typed);
    QFETCH(qint64, leftMs);
    const TtlFilter filter = TtlFilter::takenFrom(typed);
    const std::optional<qint64> left = leftMs < 0 ? std::nullopt : std::optional(leftMs + 500);
    // Half a second has passed since it was read.
    QTEST(filter.fits(lockState("me", left, 1000), 1500), "fits");
    QTEST(filter.fits(tokenState(TokenState::Phase::Live, left, 1000), 1500), "fits");
}

void tst_TtlFilter::writesWhatItReads()
{
    QCOMPARE(TtlFilter::terms(0, 60'000), QStringLiteral("ttl<1m"));
    QCOMPARE(TtlFilter::terms(100, 200), QStringLiteral("ttl>=100ms ttl<200ms"));
    QCOMPARE(TtlFilter::terms(3'600'000, 7'200'000), QStringLiteral("ttl>=1h ttl<2h"));
    QCOMPARE(TtlFilter::terms(864'000'000, std::nullopt), QStringLiteral("ttl>=10d"));
    for (QString terms :
         {TtlFilter::terms(100, 200), TtlFilter::terms(90'000, std::nullopt), TtlFilter::never()}) {
        QVERIFY(!TtlFilter::takenFrom(terms).isEmpty());
        QCOMPARE(terms, QString());
    }
}

void tst_TtlFilter::whatHasEndedEndsNoMore()
{
    for (const State& state :
         {freeLock(1000), expiredLock(1000), tokenState(TokenState::Phase::Used, 5000, 1000),
          tokenState(TokenState::Phase::Gone, std::nullopt, 1000)}) {
        const Ending ending = endingOf(state);
        QVERIFY(!ending.atMs && !ending.never);
    }
}

LK_TEST(tst_TtlFilter);
#include "tst_ttlfilter.moc"
