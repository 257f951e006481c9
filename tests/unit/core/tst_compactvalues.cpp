// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/compact/boxed.h"
#include "backend/core/compact/boxedvariant.h"
#include "backend/core/compact/boxedvector.h"
#include "backend/core/compact/optionalint.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <string>

using namespace lk;

namespace {

using Known = std::optional<qint64>;

/// Counts those that are there.
struct Counted
{
    static inline int alive = 0;

    int value = 0;

    explicit Counted(int of = 0)
        : value(of)
    {
        ++alive;
    }
    Counted(const Counted& other)
        : value(other.value)
    {
        ++alive;
    }
    Counted& operator=(const Counted&) = default;
    ~Counted() { --alive; }
    bool operator==(const Counted& other) const { return value == other.value; }
};

using Number = BoxedVariant<int, Counted, std::string>;

} // namespace

/// The values that take no room where they hold nothing: each behaves as what it stands for.
class TestCompactValues : public QObject
{
    Q_OBJECT

private slots:
    void aNumberMayBeUnknown()
    {
        OptionalInt number;
        QVERIFY(!number && !number.has_value());
        QCOMPARE(number.value_or(7), 7);
        number = 0;
        QVERIFY(number && number.has_value());
        QCOMPARE(*number, 0);
        QCOMPARE(number.value_or(7), 0);
        *number += 5;
        QCOMPARE(*number, 5);
        number = std::nullopt;
        QVERIFY(!number);
        number = -1;
        number.reset();
        QVERIFY(!number);
    }

    void aNumberTurnsIntoAnOptionalAndBack()
    {
        const Known none = OptionalInt();
        QVERIFY(!none);
        const Known three = OptionalInt(3);
        QCOMPARE(three, Known(3));
        QVERIFY(OptionalInt(Known()) == OptionalInt());
        QVERIFY(OptionalInt(Known(-3)) == OptionalInt(-3));
    }

    void numbersCompareAsOptionalsDo()
    {
        const std::vector<Known> values{std::nullopt, -5, 0, 12};
        for (const Known& a : values) {
            for (const Known& b : values) {
                const OptionalInt x = a;
                const OptionalInt y = b;
                QCOMPARE(x == y, a == b);
                QCOMPARE(x < y, a < b);
                QCOMPARE(x > y, a > b);
                QCOMPARE(x == b, a == b);
                QCOMPARE(a == y, a == b);
                QCOMPARE(x != b, a != b);
                QCOMPARE(x < b, a < b);
                QCOMPARE(a < y, a < b);
                if (b) {
                    QCOMPARE(x == *b, a == *b);
                    QCOMPARE(x < *b, a < *b);
                }
            }
            QCOMPARE(OptionalInt(a) == std::nullopt, a == std::nullopt);
        }
    }

    void whatIsRareIsKeptApart()
    {
        const int before = Counted::alive;
        {
            Boxed<Counted> rare;
            QVERIFY(rare.isUsual());
            QCOMPARE(rare->value, 0);
            rare = Counted(0); // as it is usually
            QVERIFY(rare.isUsual());
            rare.edit().value = 4;
            Boxed<Counted> copy = rare;
            copy.edit().value = 5;
            QCOMPARE(rare->value, 4);
            QCOMPARE((*copy).value, 5);
            QVERIFY(!(copy == rare));
            copy = rare;
            QVERIFY(copy == rare);
            copy = *&copy; // of itself
            QCOMPARE(copy->value, 4);
            const Boxed<Counted> moved = std::move(copy);
            QCOMPARE(moved->value, 4);
            rare.reset();
            QVERIFY(rare.isUsual());
            QVERIFY(rare == Boxed<Counted>());
        }
        QVERIFY(Counted::alive <= before + 1); // what is usual is kept for all
    }

    void whatIsMostlyMissingIsAnOptional()
    {
        RareOptional<QByteArray> text;
        QVERIFY(!text && !text.has_value());
        QVERIFY(text == std::nullopt);
        text = QByteArray();
        QVERIFY(text.has_value()); // empty is not missing
        text->append("one");
        RareOptional<QByteArray> copy = text;
        copy->append("two");
        QCOMPARE(*text, "one");
        QCOMPARE(*copy, "onetwo");
        QVERIFY(!(copy == text));
        copy = std::nullopt;
        QVERIFY(!copy);
        const std::optional<QByteArray> plain = text;
        QCOMPARE(plain, std::optional<QByteArray>("one"));
        QVERIFY(text == RareOptional<QByteArray>(plain));
    }

    void aVectorIsMostlyEmpty()
    {
        BoxedVector<int> some;
        QVERIFY(some.empty() && some.begin() == some.end());
        QCOMPARE(some.size(), size_t(0));
        QVERIFY(some.all().empty());
        some = std::vector<int>{1, 2};
        some.push_back(3);
        QCOMPARE(some.emplace_back(4), 4);
        for (int& each : some)
            each *= 10;
        BoxedVector<int> copy = some;
        copy[0] = 0;
        copy.edit().erase(copy.edit().begin() + 1);
        QCOMPARE(some.all(), (std::vector<int>{10, 20, 30, 40}));
        QCOMPARE(copy.all(), (std::vector<int>{0, 30, 40}));
        QCOMPARE(copy.front(), 0);
        QCOMPARE(copy.back(), 40);
        QVERIFY(!(copy == some));
        copy.clear();
        QVERIFY(copy.empty());
        QVERIFY(copy == BoxedVector<int>());
        const std::vector<int>& plain = some;
        QCOMPARE(plain.size(), size_t(4));
    }

    void oneOfSeveral()
    {
        const int before = Counted::alive;
        {
            Number number;
            QCOMPARE(number.index(), size_t(0));
            QCOMPARE(number.get<int>(), 0); // made where it is changed
            number.get<int>() = 4;
            QCOMPARE(*number.find<int>(), 4);
            QVERIFY(!number.find<Counted>());
            Number copy = number;
            number = Counted(9);
            QCOMPARE(number.index(), size_t(1));
            QVERIFY(number.holds<Counted>());
            QVERIFY(!number.find<int>());
            QCOMPARE(number.get<Counted>().value, 9);
            QCOMPARE(copy.get<int>(), 4);
            copy = number;
            copy.get<Counted>().value = 10;
            QCOMPARE(number.get<Counted>().value, 9);
            const Number moved = std::move(copy);
            QCOMPARE(moved.get<Counted>().value, 10);
            number = std::string("eleven");
            QCOMPARE(Counted::alive, before + 1);
            QCOMPARE(number.get<std::string>(), std::string("eleven"));
        }
        QCOMPARE(Counted::alive, before);
    }

    void whoVisitsMeetsWhatIsHeld()
    {
        struct Teller
        {
            QByteArray operator()(int n) const { return "int " + QByteArray::number(n); }
            QByteArray operator()(const Counted& c) const
            {
                return "counted " + QByteArray::number(c.value);
            }
            QByteArray operator()(const std::string& s) const
            {
                return QByteArray::fromStdString(s);
            }
        };
        QCOMPARE(std::as_const(*std::make_unique<Number>()).visit(Teller()), "int 0");
        Number number = Counted(3);
        QCOMPARE(number.visit(Teller()), "counted 3");
        number = std::string("text");
        QCOMPARE(number.visit(Teller()), "text");
        number.visit([](auto& held) { held = std::decay_t<decltype(held)>(); });
        QCOMPARE(number.visit(Teller()), "");
    }
};

LK_TEST(TestCompactValues);
#include "tst_compactvalues.moc"
