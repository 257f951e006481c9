// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a layout beyond its kind: columns of a detail and an export, numbers over time.
#include "backend/libraries/api/layout.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

#include <algorithm>

using namespace lk;
using namespace lk::test;

namespace {

QByteArrayList idsOf(const auto& all)
{
    QByteArrayList ids;
    for (const auto& one : all)
        ids << one.id;
    return ids;
}

} // namespace

class TestColumns : public QObject
{
    Q_OBJECT

private slots:
    void whatAKindHasIsInItsPlace();
    void aLayoutAddsItsOwn();
    void aLayoutPutsItsOwnInTheKindsPlace();
    void anUnknownLayoutShowsItsKind();
};

// Charts of a kind find its numbers by their place, whatever the layout.
void TestColumns::whatAKindHasIsInItsPlace()
{
    for (const Layout* layout : allLayouts()) {
        const QByteArrayList common = idsOf(metrics(layout->kind()));
        const QByteArrayList all = idsOf(layout->metrics());
        QVERIFY2(all.mid(0, common.size()) == common, layout->id().constData());
        for (const QByteArrayList& ids : {all, idsOf(layout->columns())}) {
            for (const QByteArray& id : ids)
                QVERIFY2(ids.count(id) == 1, id.constData());
        }
        QCOMPARE(layout->columns().front().id, QByteArray("name"));
    }
}

void TestColumns::aLayoutAddsItsOwn()
{
    State state = madeState(madePrimitive(Kind::Limiter, "gate", "gate:1"), 1000);
    state.body.get<LimiterState>().refused = 7;
    const std::vector<Column> own = ownColumns(*state.primitive);
    QCOMPARE(idsOf(own), QByteArrayList{"refused"});
    QCOMPARE(own[0].text(state), QStringLiteral("7"));
    QCOMPARE(own[0].number(state), std::optional<double>(7));
    const auto all = metricsOf(*state.primitive);
    QCOMPARE(all.size(), metrics(Kind::Limiter).size() + 1);
    QCOMPARE(all.back().value(state), std::optional<double>(7));
    state.body.get<LimiterState>().refused.reset(); // open: there is nothing to count
    QVERIFY(!all.back().value(state) && all.back().emptyIsNone);
    QVERIFY(ownColumns(*madePrimitive(Kind::Limiter, "fixed-window", "f")).empty());
}

void TestColumns::aLayoutPutsItsOwnInTheKindsPlace()
{
    const auto common = columns(Kind::Queue);
    const auto ready = std::find_if(common.begin(), common.end(),
                                    [](const Column& c) { return c.id == QByteArray("ready"); });
    Column events = *ready;
    events.source = "Events";
    Column more = events;
    more.id = "more";
    const std::vector<Column> all = columnsWith(Kind::Queue, {events, more});
    QCOMPARE(all.size(), common.size() + 1);
    QCOMPARE(all[size_t(ready - common.begin())].source, QByteArray("Events"));
    QCOMPARE(all[all.size() - 2].id, QByteArray("more"));
    QCOMPARE(all.back().id, QByteArray("layout"));

    Metric depth = metrics(Kind::Queue).front();
    depth.source = "Events";
    Metric last = depth;
    last.id = "more";
    const std::vector<Metric> numbers = metricsWith(Kind::Queue, {last, depth});
    QCOMPARE(numbers.size(), metrics(Kind::Queue).size() + 1);
    QCOMPARE(numbers.front().source, QByteArray("Events"));
    QCOMPARE(numbers.back().id, QByteArray("more"));
}

void TestColumns::anUnknownLayoutShowsItsKind()
{
    const PrimitivePtr primitive = madePrimitive(Kind::Lock, "of-another-version", "l");
    QCOMPARE(idsOf(columnsOf(*primitive)), idsOf(columns(Kind::Lock)));
    QCOMPARE(idsOf(metricsOf(*primitive)), idsOf(metrics(Kind::Lock)));
    QVERIFY(ownColumns(*primitive).empty());
}

LK_TEST(TestColumns);
#include "tst_columns.moc"
