// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "widgets/findings/findingmodel.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QTest>

using namespace lk;
using Severity = Finding::Severity;

namespace {

LiveFindingPtr made(quint64 id, const QByteArray& name, Severity severity = Severity::Error,
                    bool silenced = false)
{
    auto live = std::make_shared<LiveFinding>();
    live->id = id;
    live->handle = Handle(quint32(id));
    live->kind = Kind::Lock;
    live->finding.kind = Kind::Lock;
    live->finding.code = "code-" + QByteArray::number(int(severity));
    live->finding.severity = severity;
    live->finding.name = name;
    live->finding.key = "key:" + name;
    live->finding.message = QStringLiteral("=seen of %1").arg(QString::fromLatin1(name));
    live->finding.silenced = silenced;
    return live;
}

LiveFindingsPtr listOf(std::vector<LiveFindingPtr> rows)
{
    auto list = std::make_shared<LiveFindings>();
    list->rows = std::move(rows);
    return list;
}

QByteArrayList names(const FindingModel& model)
{
    QByteArrayList all;
    for (int row = 0; row < model.rowCount(); ++row)
        all << model.index(row, FindingModel::NameColumn).data().toByteArray() +
                   (model.isGone(row) ? " gone" : "");
    return all;
}

using Names = QByteArrayList;

} // namespace

class TestFindingModel : public QObject
{
    Q_OBJECT

private slots:
    void comesAndGoesInPlace()
    {
        FindingModel model;
        const QAbstractItemModelTester tester(&model);
        const auto a = made(1, "a");
        const auto b = made(2, "b");
        const auto c = made(3, "c", Severity::Warning);
        model.setFindings(listOf({a, c}));
        QCOMPARE(names(model), (Names{"a", "c"}));
        const QPersistentModelIndex onC = model.index(1, 0);
        model.setFindings(listOf({a, b, c}));
        QCOMPARE(names(model), (Names{"a", "b", "c"}));
        QCOMPARE(onC.row(), 2);
        model.setFindings(listOf({c}));
        QCOMPARE(onC.row(), 0);
        QCOMPARE(names(model), Names{"c"});
        model.setFindings(nullptr);
        QCOMPARE(model.rowCount(), 0);
        QVERIFY(!onC.isValid());
    }

    void whatIsKeptStaysWhenGone()
    {
        FindingModel model;
        const QAbstractItemModelTester tester(&model);
        const auto a = made(1, "a");
        const auto b = made(2, "b");
        const auto c = made(3, "c");
        model.setFindings(listOf({a, b, c}));
        model.keep(2);
        model.setFindings(listOf({a, c}));
        QCOMPARE(names(model), (Names{"a", "b gone", "c"}));
        QCOMPARE(model.index(1, FindingModel::SeverityColumn).data().toString(),
                 QStringLiteral("resolved"));
        model.setFindings(listOf({a, b, c})); // it is back
        QCOMPARE(names(model), (Names{"a", "b", "c"}));
        model.setFindings(listOf({a, c}));
        model.keep(3);
        QCOMPARE(names(model), (Names{"a", "c"}));
    }

    void heldRowsStandStill()
    {
        FindingModel model;
        const QAbstractItemModelTester tester(&model);
        const auto a = made(1, "a");
        const auto b = made(2, "b");
        const auto c = made(3, "c");
        const auto d = made(4, "d");
        model.setFindings(listOf({b, d}));
        model.setHeld(true);
        model.setFindings(listOf({a, c, d}));
        QCOMPARE(names(model), (Names{"b gone", "d", "a", "c"}));
        model.setFindings(listOf({b, d}));
        QCOMPARE(names(model), (Names{"b", "d", "a gone", "c gone"}));
        model.setHeld(false);
        QCOMPARE(names(model), (Names{"b", "d"}));
        model.setHeld(true);
        model.setFindings(listOf({a}));
        model.setFilter({QStringLiteral("a"), {}, false}); // another view was asked for
        QCOMPARE(names(model), Names{"a"});
    }

    void filters()
    {
        FindingModel model;
        const QAbstractItemModelTester tester(&model);
        model.setFindings(listOf({made(1, "Alpha"), made(2, "beta", Severity::Warning),
                                  made(3, "hidden", Severity::Error, true)}));
        QCOMPARE(names(model), (Names{"Alpha", "beta"}));
        for (const char* text : {"ALPHA", "key:alph", "code-2", "seen of alpha", " alpha "}) {
            model.setFilter({QString::fromLatin1(text), {}, false});
            QCOMPARE(names(model), Names{"Alpha"});
        }
        model.setFilter({{}, Severity::Warning, false});
        QCOMPARE(names(model), Names{"beta"});
        model.setFilter({{}, {}, true});
        QCOMPARE(names(model), (Names{"Alpha", "beta", "hidden"}));
        QCOMPARE(model.index(2, FindingModel::SeverityColumn).data().toString(),
                 QStringLiteral("silenced"));
    }

    void sorts()
    {
        FindingModel model;
        const QAbstractItemModelTester tester(&model);
        model.setFindings(listOf({made(1, "b"), made(2, "c"), made(3, "a", Severity::Info)}));
        model.setOrder(FindingModel::NameColumn, false);
        QCOMPARE(names(model), (Names{"a", "b", "c"}));
        model.setOrder(FindingModel::NameColumn, true);
        QCOMPARE(names(model), (Names{"c", "b", "a"}));
        model.setOrder(FindingModel::SeverityColumn, false);
        QCOMPARE(names(model), (Names{"a", "b", "c"}));
        model.setOrder(-1, false);
        QCOMPARE(names(model), (Names{"b", "c", "a"}));
    }

    void csvIsSafe()
    {
        FindingModel model;
        model.setFindings(listOf({made(1, "a"), made(2, "=b")}));
        const QStringList lines = model.csv()().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[1].startsWith(QStringLiteral("error,code-2,lock,a,key:a,'=seen of a,")));
        QVERIFY(lines[2].contains(QStringLiteral("'=b")));
        QCOMPARE(model.csv({1})().count(QLatin1Char('\n')), 2);
    }

    void anyChangeKeepsEveryRowsIdentity()
    {
        FindingModel model;
        const QAbstractItemModelTester tester(&model);
        QRandomGenerator random(7);
        std::vector<LiveFindingPtr> all;
        for (quint64 id = 1; id <= 60; ++id)
            all.push_back(made(id, "n" + QByteArray::number(id)));
        std::map<quint64, QPersistentModelIndex> held;
        for (int round = 0; round < 200; ++round) {
            std::vector<LiveFindingPtr> some;
            std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                         [&](const auto&) { return random.bounded(3) > 0; });
            model.setHeld(random.bounded(4) == 0);
            model.keep(quint64(random.bounded(60)));
            model.setFindings(listOf(some));
            for (const auto& [id, index] : held)
                QVERIFY(!index.isValid() || model.findingAt(index.row())->id == id);
            held.clear();
            for (int row = 0; row < model.rowCount(); row += 5)
                held[model.findingAt(row)->id] = model.index(row, 0);
            for (const auto& one : some)
                QVERIFY(model.rowOf(one->id) >= 0 && !model.isGone(model.rowOf(one->id)));
        }
    }
};

LK_WIDGET_TEST(TestFindingModel);
#include "tst_findingmodel.moc"
