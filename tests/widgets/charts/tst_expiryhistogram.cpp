// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/pseudolocale.h"
#include "widgets/charts/expiryhistogram.h"

#include <QTest>

using namespace lk;

namespace {

constexpr qint64 now = 1'700'000'000'000;

} // namespace

class TestExpiryHistogram final : public QObject
{
    Q_OBJECT

private slots:
    void endsAreCountedInBins();
    void whatHasEndedIsInTheFirstBin();
    void aFewFarEndsAreLater();
    void captionsNeverTouch_data();
    void captionsNeverTouch();
    void horizonIsDescribed();
};

void TestExpiryHistogram::endsAreCountedInBins()
{
    ExpiryHistogram chart;
    chart.setNow(now);
    chart.setSpan(10'000);
    chart.setEnds({now + 9999, now + 500, now + 999, now + 1000}, 3);
    const auto bins = chart.bins();
    QCOMPARE(bins.size(), 10u);
    QCOMPARE(bins[0].count, 2);
    QCOMPARE(bins[1].count, 1);
    QCOMPARE(bins[9].count, 1);
    QCOMPARE(chart.later(), 0);
    QCOMPARE(chart.never(), 3);
    chart.setNow(now + 600);
    QCOMPARE(chart.bins()[0].count, 3);
}

void TestExpiryHistogram::whatHasEndedIsInTheFirstBin()
{
    ExpiryHistogram chart;
    chart.setNow(now);
    chart.setSpan(10'000);
    chart.setEnds({now - 5000}, 0);
    QCOMPARE(chart.bins()[0].count, 1);
}

void TestExpiryHistogram::aFewFarEndsAreLater()
{
    std::vector<EndCount> ends;
    for (int i = 0; i < 50; ++i)
        ends.push_back(now + 1000 * i);
    ends.push_back(now + 7ll * 24 * 3600 * 1000);
    ExpiryHistogram chart;
    chart.setNow(now);
    chart.setEnds(ends, 0);
    QCOMPARE(chart.later(), 1);
    QCOMPARE(chart.bins().back().toMs, 50'000);
}

void TestExpiryHistogram::captionsNeverTouch_data()
{
    QTest::addColumn<bool>("longer"); // by four tenths, as another language may be
    QTest::addColumn<int>("never");
    for (const bool longer : {false, true}) {
        for (const int never : {0, 3})
            QTest::addRow("%s, %d", longer ? "longer" : "english", never) << longer << never;
    }
}

void TestExpiryHistogram::captionsNeverTouch()
{
    QFETCH(bool, longer);
    QFETCH(int, never);
    test::PseudoTranslator pseudo;
    if (longer)
        QVERIFY(QCoreApplication::installTranslator(&pseudo));
    ExpiryHistogram chart;
    chart.setNow(now);
    for (const qint64 spanMs : {1000, 300'000, 6'000'000, 216'000'000}) {
        chart.setSpan(spanMs);
        for (const qint64 beyond : {0, 1}) {
            chart.setEnds({now + spanMs / 2, now + spanMs - 1 + beyond}, never);
            for (int width = chart.minimumSizeHint().width(); width < 800; width += 20) {
                chart.resize(width, 120);
                const auto captions = chart.captions();
                QVERIFY(captions.size() >= 3);
                for (size_t i = 0; i < captions.size(); ++i) {
                    QVERIFY(chart.rect().contains(captions[i].place.toAlignedRect()));
                    for (size_t j = i + 1; j < captions.size(); ++j) {
                        const QRectF apart = captions[j].place.adjusted(-5, 0, 5, 0);
                        QVERIFY2(!captions[i].place.intersects(apart),
                                 qPrintable(captions[i].text + u' ' + captions[j].text));
                    }
                }
            }
        }
    }
}

void TestExpiryHistogram::horizonIsDescribed()
{
    ExpiryHistogram chart;
    chart.setTitle(QStringLiteral("Locks expiring"), QStringLiteral("locks"));
    chart.setNow(now);
    chart.setSpan(10'000);
    chart.show();
    QTRY_COMPARE(chart.accessibleDescription(), QStringLiteral("Nothing expires"));
    chart.setEnds({now + 500, now + 700}, 2);
    QTRY_COMPARE(chart.accessibleDescription(),
                 QStringLiteral("locks: 2 in 0 ms to 1 s, 2 without TTL"));
}

LK_WIDGET_TEST(TestExpiryHistogram);
#include "tst_expiryhistogram.moc"
