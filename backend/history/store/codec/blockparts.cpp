// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/codec/blockparts.h"

#include <QtEndian>

#include <utility>

#include <zlib.h>

namespace lk {

namespace {

constexpr quint32 blockForm = 0xfffffffe; // the first bytes of a block
constexpr qsizetype headBytes = sizeof(quint32);
constexpr qsizetype sumBytes = sizeof(quint32);

quint32 sumOf(const char* bytes, qsizetype size)
{
    return quint32(::adler32(1, reinterpret_cast<const Bytef*>(bytes), uInt(size)));
}

QByteArray checked(const QByteArray& part)
{
    if (part.size() <= sumBytes || qFromBigEndian<quint32>(part.constData()) !=
                                       sumOf(part.constData() + sumBytes, part.size() - sumBytes))
        return {};
    return QByteArray::fromRawData(part.constData() + sumBytes, part.size() - sumBytes);
}

} // namespace

void PartWriter::take(const QByteArray& part, qint64 first)
{
    QByteArray bytes(sumBytes, Qt::Uninitialized);
    qToBigEndian(sumOf(part.constData(), part.size()), bytes.data());
    m_parts.push_back({first, bytes + part});
}

QByteArray PartWriter::block() const
{
    ByteWriter out;
    out.number(m_parts.size());
    qint64 before = 0;
    for (const Part& part : m_parts) {
        out.whole(part.first - std::exchange(before, part.first));
        out.number(quint64(part.bytes.size()));
    }
    QByteArray all(headBytes, Qt::Uninitialized);
    qToBigEndian(blockForm, all.data());
    all += out.take();
    for (const Part& part : m_parts)
        all += part.bytes;
    return all;
}

bool eachPart(const QByteArray& block, qint64 primitive,
              const std::function<bool(const QByteArray&)>& take)
{
    if (block.size() <= headBytes || qFromBigEndian<quint32>(block.constData()) != blockForm)
        return false;
    ByteReader in(QByteArrayView(block).sliced(headBytes));
    const size_t count = in.count();
    std::vector<std::pair<qint64, quint64>> parts; // the first primitive and the size of each part
    parts.reserve(count);
    qint64 first = 0;
    for (size_t i = 0; i < count && in.ok(); ++i) {
        first = in.after(first);
        parts.emplace_back(first, in.number());
    }
    for (size_t i = 0; i < parts.size() && in.ok(); ++i) {
        const QByteArrayView bytes = in.view(parts[i].second);
        const bool wanted =
            primitive == 0 || (parts[i].first <= primitive &&
                               (i + 1 == parts.size() || primitive < parts[i + 1].first));
        if (!in.ok() || !wanted)
            continue;
        const QByteArray part = QByteArray::fromRawData(bytes.data(), bytes.size());
        if (!take(checked(part)))
            return false;
    }
    return in.ok() && count > 0;
}

} // namespace lk
