// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/compact/bytes.h"
#include "backend/history/series.h"
#include "backend/history/store/codec/blockcodec.h"
#include "backend/history/store/codec/textdelta.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <cmath>

using namespace lk;

namespace {

constexpr qint64 t0 = 1'700'000'000'000;
constexpr int primitives = 128;
constexpr int metrics = 2;
constexpr int points = 360;

RecordedPoint pointAt(qint64 tMs, double value)
{
    return {tMs, value, value, value, value};
}

/// Six hours of a bucket, a point a minute.
std::vector<SampleFrame> samples()
{
    std::vector<SampleFrame> frames;
    quint32 noise = 1;
    for (int primitive = 1; primitive <= primitives; ++primitive) {
        for (int metric = 1; metric <= metrics; ++metric) {
            for (int i = 0; i < points; ++i) {
                noise = noise * 1664525U + 1013904223U;
                frames.push_back(
                    {primitive, metric, pointAt(t0 + i * 60'000LL, double(noise >> 20))});
            }
        }
    }
    return frames;
}

std::vector<StateFrame> states(int each)
{
    std::vector<StateFrame> frames;
    for (int primitive = 1; primitive <= primitives; ++primitive) {
        for (int i = 0; i < each; ++i)
            frames.push_back(
                {primitive, t0 + i, QByteArray(100, char('a' + (primitive + i) % 26))});
    }
    return frames;
}

bool isSame(const SampleFrame& a, const SampleFrame& b)
{
    return a.primitive == b.primitive && a.metric == b.metric && a.point.tMs == b.point.tMs &&
           a.point.last == b.point.last;
}

} // namespace

/// A block decodes to the values that were encoded, for all primitives or for one.
class TestBlockCodec : public QObject
{
    Q_OBJECT

private slots:
    void allComesBack();
    void ofOneOnlyItsPartIsUnpacked();
    void stretchesComeBack();
    void aStateIsWrittenAgainstTheOneBefore();
    void whatIsBrokenAddsNothing();
    void noPrimitiveHasSuchANumber();
};

void TestBlockCodec::allComesBack()
{
    const auto written = samples();
    const QByteArray block = encodeBlock(std::span(written), t0);
    std::vector<SampleFrame> read;
    QVERIFY(decodeBlock(block, t0, read));
    QCOMPARE(read.size(), written.size());
    QVERIFY(std::ranges::equal(read, written, isSame));
    const auto all = states(3);
    std::vector<StateFrame> back;
    QVERIFY(decodeBlock(encodeBlock(std::span(all), t0), t0, back));
    QCOMPARE(back.size(), all.size());
    for (size_t i = 0; i < all.size(); ++i) {
        QCOMPARE(back[i].primitive, all[i].primitive);
        QCOMPARE(back[i].tMs, all[i].tMs);
        QCOMPARE(back[i].state, all[i].state);
    }
}

// The first and the last of all, each in a part of its own: of one nothing is needed of the others.
void TestBlockCodec::ofOneOnlyItsPartIsUnpacked()
{
    const auto written = samples();
    QByteArray block = encodeBlock(std::span(written), t0);
    for (int primitive = 1; primitive <= primitives; ++primitive) {
        std::vector<SampleFrame> read;
        QVERIFY(decodeBlock(block, t0, read, primitive, 2));
        QCOMPARE(read.size(), size_t(points));
        const size_t first = size_t((primitive - 1) * metrics + 1) * points;
        QVERIFY(std::equal(read.begin(), read.end(), written.begin() + qptrdiff(first), isSame));
    }
    std::vector<SampleFrame> read;
    QVERIFY(decodeBlock(block, t0, read, primitives + 1));
    QVERIFY(read.empty());
    // An intact part is read, even if other parts are damaged.
    block[block.size() - 20] = char(~block[block.size() - 20]);
    QVERIFY(decodeBlock(block, t0, read, 1));
    QCOMPARE(read.size(), size_t(points * metrics));
    QVERIFY(!decodeBlock(block, t0, read, primitives));
    QVERIFY(!decodeBlock(block, t0, read));
    QCOMPARE(read.size(), size_t(points * metrics));
}

// With gaps, what is absent, fractions, one number by two names, and what begins after a gap.
void TestBlockCodec::stretchesComeBack()
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<SampleFrame> all;
    quint32 noise = 1;
    const auto next = [&](quint32 below) {
        return double((noise = noise * 1664525U + 1013904223U, noise >> 8) % below);
    };
    for (int primitive = 1; primitive <= 50; ++primitive) {
        const size_t began = all.size();
        for (int i = 0; i < 200; ++i) {
            RecordedPoint p = pointAt(t0 + i * 10'000 + (next(9) == 0 ? 77 : 0), next(500));
            const auto kind = int(next(10));
            if (kind == 0)
                p = pointAt(p.tMs, std::copysign(nan, next(2) > 0 ? 1 : -1));
            else if (kind == 1)
                p = pointAt(p.tMs, p.last + 0.25);
            else if (kind > 4) {
                p.smallest = p.last - next(3) * 20 - (kind == 5 ? 0.5 : 0);
                p.largest = p.last + next(3) * 30;
                p.mean = p.smallest + (p.largest - p.smallest) * next(256) / 255;
            }
            all.push_back({primitive, 3, p});
        }
        for (size_t i = began; i < began + 200; ++i) // the same by another name
            all.push_back({primitive, 5, all[i].point});
    }
    for (const int means : {fineMeans, coarseMeans}) {
        const QByteArray block = encodeBlock(std::span(std::as_const(all)), t0, means);
        std::vector<SampleFrame> back;
        QVERIFY(decodeBlock(block, t0, back));
        QCOMPARE(back.size(), all.size());
        const auto same = [](double a, double b) {
            return std::isnan(a) ? std::isnan(b) && isAbsent(a) == isAbsent(b) : a == b;
        };
        for (size_t i = 0; i < all.size(); ++i) {
            const RecordedPoint& was = all[i].point;
            const RecordedPoint& is = back[i].point;
            QCOMPARE(back[i].primitive, all[i].primitive);
            QCOMPARE(back[i].metric, all[i].metric);
            QCOMPARE(is.tMs, was.tMs);
            QVERIFY(same(is.last, was.last) && same(is.smallest, was.smallest) &&
                    same(is.largest, was.largest));
            if (!was.isGap())
                QVERIFY(std::abs(is.mean - was.mean) <=
                        (was.largest - was.smallest) / (2 * means) + 1e-9);
        }
        std::vector<SampleFrame> one;
        QVERIFY(decodeBlock(block, t0, one, 50, 5));
        QCOMPARE(one.size(), 200U);
        QVERIFY(same(one[7].point.last, all[49 * 400 + 207].point.last));
    }
}

// Also a state that was gone in between, one that grew, and one that differs completely.
void TestBlockCodec::aStateIsWrittenAgainstTheOneBefore()
{
    std::vector<StateFrame> all;
    quint32 noise = 1;
    for (int primitive = 1; primitive <= primitives; ++primitive) {
        QByteArray state(80, 'a');
        for (int i = 0; i < 50; ++i) {
            noise = noise * 1664525U + 1013904223U;
            for (int k = 0; k < int(noise >> 30); ++k)
                state[qsizetype((noise >> (8 + k)) % quint32(state.size()))] = char(noise >> k);
            QByteArray then = state;
            if (noise % 17 == 0)
                then.clear();
            else if (noise % 13 == 0)
                then.insert(qsizetype(noise >> 26), "grown");
            else if (noise % 11 == 0)
                then = "other " + QByteArray::number(noise);
            all.push_back({primitive, t0 + i * 10'000LL, then});
        }
    }
    const QByteArray block = encodeBlock(std::span(std::as_const(all)), t0);
    std::vector<StateFrame> back;
    QVERIFY(decodeBlock(block, t0, back));
    QCOMPARE(back.size(), all.size());
    for (size_t i = 0; i < all.size(); ++i) {
        QCOMPARE(back[i].primitive, all[i].primitive);
        QCOMPARE(back[i].tMs, all[i].tMs);
        QCOMPARE(back[i].state, all[i].state);
    }
    back.clear();
    QVERIFY(decodeBlock(block, t0, back, 77));
    QCOMPARE(back.size(), 50U);
    for (size_t i = 0; i < back.size(); ++i)
        QCOMPARE(back[i].state, all[76 * 50 + i].state);
    qsizetype apart = 0; // as they would be one by one
    for (int primitive = 1; primitive <= primitives; ++primitive) {
        const std::vector<StateFrame> own(all.begin() + (primitive - 1) * 50,
                                          all.begin() + primitive * 50);
        apart += encodeBlock(std::span(own), t0).size();
    }
    QVERIFY2(block.size() < apart, QByteArray::number(block.size()).constData());
    for (int i = 0; i < 2000; ++i) { // none of these may crash
        noise = noise * 1664525U + 1013904223U;
        QByteArray broken = block;
        broken[qsizetype((noise >> 4) % quint32(broken.size()))] = char(noise >> 24);
        back.clear();
        decodeBlock(broken, t0, back, 1 + i % primitives);
    }
    // Past what zlib checks.
    ByteWriter out;
    const QByteArray last(20, 'x');
    writeAgainst(out, out, last, QByteArray(9, 'x') + "123" + QByteArray(8, 'x'));
    const QByteArray delta = out.take();
    for (qsizetype at = 0; at < delta.size(); ++at) {
        for (int value = 0; value < 256; ++value) {
            QByteArray broken = delta;
            broken[at] = char(value);
            ByteReader in(broken);
            const QByteArray text = readAgainst(in, in, last);
            ByteReader again(broken);
            skipAgainst(again, again);
            QVERIFY(!in.ok() || (again.ok() && text.size() <= 2 * last.size()));
        }
    }
}

void TestBlockCodec::whatIsBrokenAddsNothing()
{
    const auto written = samples();
    const QByteArray whole = encodeBlock(std::span(written), t0);
    std::vector<SampleFrame> read;
    for (qsizetype size = 0; size < 200; ++size)
        QVERIFY(!decodeBlock(whole.left(size), t0, read));
    QVERIFY(!decodeBlock(whole.chopped(1), t0, read));
    QVERIFY(read.empty());
    quint32 noise = 7;
    for (int i = 0; i < 2000; ++i) { // none of these may crash
        QByteArray broken = whole;
        noise = noise * 1664525U + 1013904223U;
        broken[qsizetype(noise % 120)] = char(noise >> 24); // where the parts are told
        read.clear();
        decodeBlock(broken, t0, read, 1 + i % primitives);
    }
    QVERIFY(!decodeBlock(QByteArray(4, 0), t0, read));
    QVERIFY(!decodeBlock(QByteArray(5, 0), t0, read));
}

// They would be in no bucket, and what is older would wait behind them for ever.
void TestBlockCodec::noPrimitiveHasSuchANumber()
{
    for (const qint64 number : {qint64(0), qint64(-128), std::numeric_limits<qint64>::min()}) {
        const std::vector<StateFrame> states{{number, t0, "state"}};
        std::vector<StateFrame> readStates;
        QVERIFY(!decodeBlock(encodeBlock(std::span(states), t0), t0, readStates));
        const std::vector<SampleFrame> samples{{number, 1, pointAt(t0, 1)}};
        std::vector<SampleFrame> read;
        QVERIFY(!decodeBlock(encodeBlock(std::span(samples), t0), t0, read));
        QVERIFY(read.empty() && readStates.empty());
    }
    // Times that reach beyond all numbers are no more than wrong.
    const std::vector<SampleFrame> samples{{1, 1, pointAt(std::numeric_limits<qint64>::max(), 1)},
                                           {1, 1, pointAt(std::numeric_limits<qint64>::max(), 1)}};
    std::vector<SampleFrame> read;
    QVERIFY(decodeBlock(encodeBlock(std::span(samples), 0), t0, read));
    QCOMPARE(read.size(), 2U);
}

LK_TEST(TestBlockCodec);
#include "tst_blockcodec.moc"
