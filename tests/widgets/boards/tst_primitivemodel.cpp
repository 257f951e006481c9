// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/session.h"
#include "backend/session/sessionstates.h"
#include "tests/support/testprogram.h"
#include "widgets/boards/primitivemodel.h"

#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <numeric>
#include <random>

using namespace lk;

namespace {

using Rows = std::vector<Handle>;

Rows rowsFor(const QList<int>& numbers)
{
    Rows rows;
    for (const int number : numbers)
        rows.emplace_back(quint32(number));
    return rows;
}

// groups: each with the row of its header.
void give(PrimitiveModel& model, Rows rows, std::vector<BoardGroup> groups = {})
{
    BoardRows given;
    given.rows = std::make_shared<const Rows>(rows);
    given.groups = std::make_shared<const std::vector<BoardGroup>>(groups);
    std::erase_if(rows, [&](Handle handle) {
        return std::any_of(groups.begin(), groups.end(),
                           [&](const BoardGroup& group) { return group.header == handle; });
    });
    given.all = std::make_shared<const Rows>(std::move(rows));
    model.setRows(given);
}

BoardGroup groupOf(quint32 header, int row, const QString& title)
{
    BoardGroup group;
    group.header = Handle(header, ~0U);
    group.row = row;
    group.title = title;
    group.count = 2;
    group.worst = Health::Error;
    group.worstWord = QStringLiteral("no TTL");
    return group;
}

Rows rowsOf(const PrimitiveModel& model)
{
    Rows rows;
    for (int row = 0; row < model.rowCount(); ++row)
        rows.push_back(model.handleAt(row));
    return rows;
}

} // namespace

// Rows that come, go and change places: what is selected stays the same primitive.
class TestPrimitiveModel : public QObject
{
    Q_OBJECT

private slots:
    void keepsWhatStays_data()
    {
        QTest::addColumn<QList<int>>("before");
        QTest::addColumn<QList<int>>("after");
        QTest::newRow("another order") << QList{1, 2, 3} << QList{3, 1, 2};
        QTest::newRow("one above goes") << QList{1, 2, 3} << QList{1, 3};
        QTest::newRow("one comes above") << QList{1, 2} << QList{9, 1, 2};
        QTest::newRow("half go, the rest turns") << QList{1, 2, 3, 4, 5, 6} << QList{6, 4, 2};
        QTest::newRow("all others are new") << QList{1, 2, 3} << QList{7, 8, 9, 3};
        QTest::newRow("as many come as go") << QList{1, 2, 3} << QList{3, 8, 9};
        QTest::newRow("all go") << QList{1, 2, 3} << QList<int>{};
        QTest::newRow("the first come") << QList<int>{} << QList{1, 2};
    }

    void keepsWhatStays()
    {
        QFETCH(QList<int>, before);
        QFETCH(QList<int>, after);
        PrimitiveModel model(Kind::Lock);
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        give(model, rowsFor(before));
        QList<std::pair<int, QPersistentModelIndex>> held;
        for (int row = 0; row < before.size(); ++row)
            held.append({before[row], model.index(row, row % 2)});
        give(model, rowsFor(after));
        for (const auto& [handle, index] : held) {
            QCOMPARE(index.isValid(), after.contains(handle));
            if (index.isValid())
                QCOMPARE(index.row(), int(after.indexOf(handle)));
        }
    }

    // Header rows come, go and change places as others do.
    void groupsKeepTheirRows()
    {
        PrimitiveModel model(Kind::Lock);
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        const BoardGroup first = groupOf(1, 0, QStringLiteral("a:"));
        BoardGroup second = groupOf(2, 3, QStringLiteral("b:"));
        give(model, {first.header, Handle(1), Handle(2), second.header, Handle(3)},
             {first, second});
        QCOMPARE(model.rowCount(), 5);
        QCOMPARE(model.groupAt(0)->title, QStringLiteral("a:"));
        QVERIFY(!model.groupAt(1));
        QCOMPARE(model.groupAt(3)->title, QStringLiteral("b:"));
        QVERIFY(!model.groupAt(5));
        QVERIFY(!model.groupAt(-1));
        QCOMPARE(model.headerRowOf(2), 0);
        QCOMPARE(model.headerRowOf(4), 3);
        QCOMPARE(model.index(3, 0).data().toString(), QStringLiteral("b:"));
        QCOMPARE(model.index(3, 1).data().toString(), QStringLiteral("no TTL"));
        QCOMPARE(model.index(3, 2).data().toString(), QString());
        QVERIFY(model.index(3, 0).data(PrimitiveModel::HandleRole).value<Handle>() == noHandle);
        const QString told = model.index(3, 0).data(Qt::AccessibleTextRole).toString();
        for (const char* part : {"b:", "2 rows", "no TTL", "expanded"})
            QVERIFY2(told.contains(QLatin1String(part)), qPrintable(told));
        model.setVisibleRows(0, 4);
        QCOMPARE(model.visibleHandles(), rowsFor({1, 2, 3})); // header rows are not read

        const QPersistentModelIndex header = model.index(3, 0);
        const QPersistentModelIndex row = model.index(4, 0);
        BoardGroup closed = groupOf(1, 1, QStringLiteral("a:"));
        closed.collapsed = true;
        second.row = 0;
        give(model, {second.header, closed.header}, {second, closed});
        QCOMPARE(header.row(), 0);
        QVERIFY(!row.isValid());
        QVERIFY(model.index(1, 0).data(Qt::AccessibleTextRole).toString().contains(u"collapsed"));

        // The same rows, and another number in the header.
        model.setVisibleRows(0, 1);
        QSignalSpy data(&model, &PrimitiveModel::dataChanged);
        QSignalSpy layout(&model, &PrimitiveModel::layoutChanged);
        closed.count = 7;
        give(model, {second.header, closed.header}, {second, closed});
        QCOMPARE(data.size(), 1);
        QCOMPARE(layout.size(), 0);
        QCOMPARE(model.groupAt(1)->count, 7);
        give(model, rowsFor({4}));
        QVERIFY(!model.groupAt(0));
        QCOMPARE(model.rowCount(), 1);
    }

    void survivesWhateverComes()
    {
        PrimitiveModel model(Kind::Queue);
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QItemSelectionModel selection(&model);
        std::mt19937 random(42);
        QList<int> numbers(60);
        std::iota(numbers.begin(), numbers.end(), 0);
        Rows all = rowsFor(numbers);
        for (int round = 0; round < 300; ++round) {
            const Rows before = rowsOf(model);
            selection.clearSelection();
            QSet<Handle> chosen;
            for (int row = 0; row < int(before.size()); ++row) {
                if (random() % 3 == 0) {
                    selection.select(model.index(row, 0),
                                     QItemSelectionModel::Select | QItemSelectionModel::Rows);
                    chosen.insert(before[size_t(row)]);
                }
            }
            std::shuffle(all.begin(), all.end(), random);
            const Rows after(all.begin(), all.begin() + std::ptrdiff_t(random() % all.size()));
            give(model, after);
            QCOMPARE(rowsOf(model), after);
            QSet<Handle> kept;
            for (const QModelIndex& index : selection.selectedRows())
                kept.insert(model.handleAt(index.row()));
            QCOMPARE(kept, chosen & QSet<Handle>(after.begin(), after.end()));
        }
    }

    void sameRowsSayNothing()
    {
        PrimitiveModel model(Kind::Token);
        give(model, rowsFor({1, 2, 3}));
        QSignalSpy layout(&model, &PrimitiveModel::layoutChanged);
        QSignalSpy inserted(&model, &PrimitiveModel::rowsInserted);
        give(model, rowsFor({1, 2, 3}));
        QCOMPARE(layout.size() + inserted.size(), 0);
        give(model, rowsFor({3, 2, 1}));
        QCOMPARE(layout.size(), 1);
    }

    // One signal whatever the number of changes, none for what is off screen.
    void tellsOnlyWhatIsOnScreen_data()
    {
        QTest::addColumn<QList<int>>("changed");
        QTest::addColumn<int>("told");
        QTest::newRow("on screen") << QList{12} << 1;
        QTest::newRow("many on screen") << QList{10, 11, 12, 13, 19} << 1;
        QTest::newRow("above") << QList{0, 9} << 0;
        QTest::newRow("below") << QList{20, 4000} << 0;
        QTest::newRow("both") << QList{4000, 19} << 1;
        QTest::newRow("not among the rows") << QList{9999} << 0;
    }

    void tellsOnlyWhatIsOnScreen()
    {
        QFETCH(QList<int>, changed);
        QFETCH(int, told);
        QThread threads[2];
        const SystemClock clock;
        Session::Setup setup;
        setup.ioThread = &threads[0];
        setup.workerThread = &threads[1];
        setup.clock = &clock;
        for (QThread& thread : threads)
            thread.start();
        {
            Session session(setup); // never started: it opens nothing
            PrimitiveModel model(Kind::Lock);
            model.setSession(&session);
            QList<int> numbers(5000);
            std::iota(numbers.begin(), numbers.end(), 0);
            const Rows rows = rowsFor(numbers);
            give(model, rows);
            model.setVisibleRows(10, 19);
            QCOMPARE(model.visibleHandles(), Rows(rows.begin() + 10, rows.begin() + 20));
            QSignalSpy spy(&model, &PrimitiveModel::dataChanged);
            auto delta = std::make_shared<Delta>();
            for (const int handle : changed)
                delta->changes.push_back({Handle(quint32(handle)), nullptr});
            emit session.states().changed(delta);
            QCOMPARE(spy.size(), told);
            if (told > 0) {
                QCOMPARE(spy[0][0].toModelIndex().row(), 10);
                QCOMPARE(spy[0][1].toModelIndex().row(), 19);
                QCOMPARE(spy[0][1].toModelIndex().column(), model.columnCount() - 1);
            }
        }
        for (QThread& thread : threads) {
            thread.quit();
            QVERIFY(thread.wait());
        }
    }
};

LK_WIDGET_TEST(TestPrimitiveModel);
#include "tst_primitivemodel.moc"
