// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/seriesstore.h"
#include "tests/support/handles.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <cmath>

using namespace lk;
using namespace lk::test;

namespace {
constexpr qint64 start = 1'700'000'000'000;
}

class SeriesStoreTest final : public QObject
{
    Q_OBJECT

private slots:
    void keepsMetricsApart();
    void anOutageReachesAll();
    void eachMetricHasItsOwnGaps();
    void aForgottenOneBeginsAnew();
    void forgetsWhatWasUnusedLongest();
    void memoryStaysBelowTheCap();
};

void SeriesStoreTest::keepsMetricsApart()
{
    SeriesStore store;
    store.append(1_h, 0, start, 10);
    store.append(1_h, 1, start, 20);
    store.append(2_h, 0, start, 30);
    QCOMPARE(store.count(), 3);
    QCOMPARE(store.find(1_h, 1)->points(0, start, 10).front().value, 20.0);
    QCOMPARE(store.find(2_h, 0)->points(0, start, 10).front().value, 30.0);
    QCOMPARE(store.find(2_h, 1), nullptr);
}

void SeriesStoreTest::anOutageReachesAll()
{
    SeriesStore store;
    store.append(1_h, 0, start, 1);
    store.append(2_h, 3, start, 1);
    store.gapAll(start + 100);
    for (const auto& [handle, metric] : {std::pair(1_h, 0), std::pair(2_h, 3)})
        QVERIFY(std::isnan(store.find(handle, metric)->points(0, start + 200, 10).back().value));
}

void SeriesStoreTest::eachMetricHasItsOwnGaps()
{
    SeriesStore store;
    store.gap(1_h, 0, start); // never known: there is nothing to end
    QCOMPARE(store.count(), 0);
    for (int metric = 0; metric < 3; ++metric)
        store.append(1_h, metric, start, 1);
    store.gap(1_h, 1, start + 100);
    store.absent(1_h, 2, start + 100);
    const auto last = [&](int metric) {
        return store.find(1_h, metric)->points(0, start + 200, 10).back().value;
    };
    QCOMPARE(last(0), 1.0);
    QVERIFY(std::isnan(last(1)) && !isAbsent(last(1)));
    QVERIFY(isAbsent(last(2)));
}

void SeriesStoreTest::aForgottenOneBeginsAnew()
{
    SeriesStore store;
    store.append(2_h, 0, start, 1);
    const size_t before = store.memory();
    store.append(1_h, 0, start, 1);
    store.append(1_h, 4, start, 1);
    store.forget(1_h);
    QVERIFY(!store.find(1_h, 0) && !store.find(1_h, 4));
    QCOMPARE(store.memory(), before);
    store.append(1_h, 0, start + 100, 5);
    QCOMPARE(store.find(1_h, 0)->points(0, start + 200, 10).size(), 1u);
    QCOMPARE(store.count(), 2);
}

void SeriesStoreTest::forgetsWhatWasUnusedLongest()
{
    SeriesStore probe;
    probe.append(0_h, 0, start, 1);
    SeriesStore store(3 * probe.memory() + probe.memory() / 2);
    for (quint32 handle = 0; handle < 3; ++handle)
        store.append(Handle(handle), 0, start, 1);
    QVERIFY(store.find(0_h, 0)); // read: now 1 is the one unused longest
    store.append(3_h, 0, start, 1);
    QVERIFY(store.find(0_h, 0));
    QVERIFY(!store.find(1_h, 0));
    QVERIFY(store.find(2_h, 0));
    QVERIFY(store.find(3_h, 0));
}

void SeriesStoreTest::memoryStaysBelowTheCap()
{
    constexpr size_t cap = 300'000;
    SeriesStore store(cap);
    for (int i = 0; i < 2000; ++i) {
        for (quint32 handle = 0; handle < 40; ++handle)
            store.append(Handle(handle), 0, start + i * 1000, i);
        QVERIFY(store.memory() <= cap);
    }
    QVERIFY(store.count() > 0);
    QVERIFY(store.find(39_h, 0));
}

LK_TEST(SeriesStoreTest);
#include "tst_seriesstore.moc"
