// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/board/roworder.h"
#include "backend/text/columns/column.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QRandomGenerator>
#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

constexpr quint32 places = 400;

/// States by place, which come, change and go.
class Rows final : public RowStates
{
public:
    void put(quint32 place, const StatePtr& state) { m_states[place] = KeptState::packed(state); }
    const KeptState& kept(Handle row) const override { return m_states[row.index]; }
    StatePtr at(quint32 place) const { return m_states[place].state(); }
    std::vector<Handle> all() const
    {
        std::vector<Handle> handles;
        for (quint32 place = 0; place < places; ++place) {
            if (m_states[place])
                handles.emplace_back(place);
        }
        return handles;
    }

private:
    std::array<KeptState, places> m_states;
};

// Few different values: most rows are equal by one column.
StatePtr anyLock(QRandomGenerator& random, quint32 place)
{
    const QByteArray prefix = place % 3 == 0 ? "lock:order:" : "lock:";
    const QByteArray owner = "worker-" + QByteArray::number(random.bounded(5));
    State state = lockState(
        owner, random.bounded(4) == 0 ? std::nullopt : std::optional<qint64>(random.bounded(9)),
        1000, madePrimitive(Kind::Lock, "set-nx-px", prefix + QByteArray::number(place)));
    state.health = Health(random.bounded(4));
    state.urgency = random.bounded(5) - 2;
    return std::make_shared<State>(std::move(state));
}

std::vector<RowOrder::By> everyOrder()
{
    std::vector<RowOrder::By> all{{Kind::Lock, -1, false}};
    for (int column = 0; column < int(columns(Kind::Lock).size()); ++column) {
        all.push_back({Kind::Lock, column, false});
        all.push_back({Kind::Lock, column, true});
    }
    return all;
}

} // namespace

class tst_RowOrder : public QObject
{
    Q_OBJECT

private slots:
    void changesLeadToTheOrderOfAll();
    void aChangeLooksAtItsRowAlone();
    void worstComeFirstThenByName();
    void aNameUnlikeTheOthersIsPutInItsPlace();
    void namesOfManyBeginningsAreInOrder_data();
    void namesOfManyBeginningsAreInOrder();
    void whatIsForgottenOrNamedAnewHasItsPlace();
};

void tst_RowOrder::changesLeadToTheOrderOfAll()
{
    for (const RowOrder::By& by : everyOrder()) {
        QRandomGenerator random(7);
        Rows rows;
        for (quint32 place = 0; place < places; ++place) {
            if (random.bounded(3) > 0)
                rows.put(place, anyLock(random, place));
        }
        RowOrder kept;
        kept.reset(by, rows.all(), rows);
        for (int round = 0; round < 30; ++round) {
            std::vector<bool> gone(places);
            std::vector<Handle> come;
            for (int i = 0; i < 20; ++i) {
                const auto place = quint32(random.bounded(int(places)));
                if (gone[place])
                    continue;
                gone[place] = true;
                rows.put(place, random.bounded(4) > 0 ? anyLock(random, place) : nullptr);
                if (rows.at(place))
                    come.emplace_back(place);
            }
            kept.change(gone, come, rows);
            RowOrder anew;
            anew.reset(by, rows.all(), rows);
            QCOMPARE(kept.rows(), anew.rows());
        }
    }
}

void tst_RowOrder::aChangeLooksAtItsRowAlone()
{
    for (const RowOrder::By& by : everyOrder()) {
        QRandomGenerator random(7);
        Rows rows;
        for (quint32 place = 0; place < places; ++place)
            rows.put(place, anyLock(random, place));
        RowOrder order;
        order.reset(by, rows.all(), rows);
        QCOMPARE(order.looks(), qint64(places));
        std::vector<bool> gone(places);
        gone[17] = true;
        rows.put(17, anyLock(random, 17));
        order.change(gone, std::vector{Handle(17)}, rows);
        QCOMPARE(order.looks(), qint64(places) + 1);
        QCOMPARE(order.size(), size_t(places));
    }
}

void tst_RowOrder::worstComeFirstThenByName()
{
    Rows rows;
    const auto put = [&](quint32 place, const QByteArray& name, Health health, double urgency) {
        State state = lockState("w", 5, 1000, madePrimitive(Kind::Lock, "set-nx-px", name));
        state.health = health;
        state.urgency = urgency;
        rows.put(place, std::make_shared<State>(std::move(state)));
    };
    put(0, "l:b", Health::Ok, 1);
    put(1, "l:a", Health::Ok, 1);
    put(2, "l:longer-than-eight-b", Health::Ok, -1);
    put(3, "l:longer-than-eight-a", Health::Ok, -1);
    put(4, "l:z", Health::Error, -5);
    put(5, "l:y", Health::Warning, 1e12);
    RowOrder order;
    order.reset({Kind::Lock, -1, false}, rows.all(), rows);
    QCOMPARE(order.rows(),
             (std::vector{Handle(4), Handle(5), Handle(1), Handle(0), Handle(3), Handle(2)}));
}

void tst_RowOrder::aNameUnlikeTheOthersIsPutInItsPlace()
{
    Rows rows;
    const auto put = [&](quint32 place, const QByteArray& name) {
        rows.put(place, std::make_shared<State>(
                            lockState("w", 5, 1000, madePrimitive(Kind::Lock, "set-nx-px", name))));
    };
    for (quint32 i = 0; i < 10; ++i)
        put(i, "rl:user:" + QByteArray::number(i));
    RowOrder order;
    order.reset({Kind::Lock, -1, false}, rows.all(), rows);
    put(10, "rl:tenant");
    put(11, "zz");
    order.change({}, std::vector{Handle(10), Handle(11)}, rows);
    QCOMPARE(order.rows().front(), Handle(10));
    QCOMPARE(order.rows().back(), Handle(11));
}

void tst_RowOrder::namesOfManyBeginningsAreInOrder_data()
{
    QTest::addColumn<int>("column");
    QTest::addColumn<bool>("descending");
    QTest::newRow("worst first") << -1 << false;
    QTest::newRow("by name") << 0 << false;
    QTest::newRow("by name, the last first") << 0 << true;
}

void tst_RowOrder::namesOfManyBeginningsAreInOrder()
{
    QFETCH(int, column);
    QFETCH(bool, descending);
    const QByteArrayList beginnings{"lock:order:", "lock:",     "a-beginning-of-many-letters:",
                                    "lock:order:", "\xff\x01:", QByteArray("nul\0\0", 5)};
    Rows rows;
    std::vector<std::pair<QByteArray, Handle>> expected;
    for (quint32 place = 0; place < places; ++place) {
        // Every eighth has the name of another; zeros alone tell some from those that end.
        QByteArray name = beginnings[place % beginnings.size()] +
                          QByteArray::number(place % 8 == 0 ? place / 16 : place);
        if (place % 10 == 0)
            name = QByteArray("end-of-more-than-eight") + QByteArray(int(place / 10), '\0');
        State state = lockState("w", 5, 1000, madePrimitive(Kind::Lock, "set-nx-px", name));
        rows.put(place, std::make_shared<State>(std::move(state)));
        expected.emplace_back(name, Handle(place));
    }
    std::sort(expected.begin(), expected.end(), [&](const auto& a, const auto& b) {
        const int order = a.first.compare(b.first);
        const bool isFirst = order != 0 ? order < 0 : a.second < b.second;
        return descending ? !isFirst && a.second != b.second : isFirst;
    });
    std::vector<Handle> handles;
    for (const auto& [name, handle] : expected)
        handles.push_back(handle);
    RowOrder order;
    order.reset({Kind::Lock, column, descending}, rows.all(), rows);
    QCOMPARE(order.rows(), handles);
}

void tst_RowOrder::whatIsForgottenOrNamedAnewHasItsPlace()
{
    Rows rows;
    RowOrder order;
    const auto put = [&](Handle row, const QByteArray& name) {
        rows.put(row.index, std::make_shared<State>(lockState(
                                "w", 5, 1000, madePrimitive(Kind::Lock, "set-nx-px", name))));
        order.note(row, Kind::Lock, rows.rank(row));
    };
    for (quint32 i = 0; i < 200; ++i)
        put(Handle(i), "l:" + QByteArray::number(100 + i));
    order.orderNames(Kind::Lock, rows);
    order.forget(Handle(3), Kind::Lock);
    rows.put(3, nullptr);
    order.forget(Handle(5), Kind::Lock);
    put(Handle(5), "l:z");
    order.forget(Handle(7), Kind::Lock);
    put(Handle(7, 1), "l:0"); // another primitive has its place
    std::vector<Handle> all = rows.all();
    all[6] = Handle(7, 1); // the third place is empty
    for (const int column : {-1, 0}) {
        order.reset({Kind::Lock, column, false}, all, rows);
        QCOMPARE(order.size(), size_t(199));
        QCOMPARE(order.rows()[0], Handle(7, 1));
        QCOMPARE(order.rows()[1], Handle(0));
        QCOMPARE(order.rows()[4], Handle(4));
        QCOMPARE(order.rows()[5], Handle(6));
        QCOMPARE(order.rows()[198], Handle(5));
    }
}

LK_TEST(tst_RowOrder);
#include "tst_roworder.moc"
