// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/codec/blockparts.h"

#include <QtEndian>

#include <utility>

#include <zlib.h>

namespace lk {

namespace {

constexpr quint32 blockPartsMostBytes = 256U * 1024 * 1024;
constexpr qsizetype headBytes = sizeof(quint32);
constexpr qsizetype sumBytes = sizeof(quint32);

// qUncompress() believes what a block says of its own size, and warns of what is broken.
QByteArray uncompressed(const QByteArray& block)
{
    constexpr qsizetype header = 4; // the size, as qCompress() writes it
    const quint32 size = block.size() > header ? qFromBigEndian<quint32>(block.constData()) : 0;
    // zlib makes at most a thousand bytes of one.
    if (size == 0 || size > blockPartsMostBytes || size / 1100 > quint32(block.size()))
        return {};
    QByteArray bytes(qsizetype(size), Qt::Uninitialized);
    uLongf written = size;
    const auto* from = reinterpret_cast<const Bytef*>(block.constData() + header);
    const int done = ::uncompress(reinterpret_cast<Bytef*>(bytes.data()), &written, from,
                                  uLong(block.size() - header));
    return done == Z_OK && written == size ? bytes : QByteArray();
}

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

std::optional<BlockForm> formOf(const QByteArray& block)
{
    if (block.size() <= headBytes)
        return std::nullopt;
    const auto form = BlockForm(qFromBigEndian<quint32>(block.constData()));
    switch (form) {
    case BlockForm::Parts:
    case BlockForm::PartsAgainstLast:
    case BlockForm::Columns:
        return form;
    }
    return std::nullopt;
}

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
    qToBigEndian(quint32(BlockForm::Columns), all.data());
    all += out.take();
    for (const Part& part : m_parts)
        all += part.bytes;
    return all;
}

bool eachPart(const QByteArray& block, qint64 primitive,
              const std::function<bool(const QByteArray&)>& take)
{
    const std::optional<BlockForm> form = formOf(block);
    if (!form)
        return take(uncompressed(block));
    ByteReader in(QByteArrayView(block).sliced(headBytes));
    const size_t count = in.count();
    std::vector<std::pair<qint64, quint64>> parts; // by their first primitives, with their bytes
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
        if (!take(form == BlockForm::Columns ? checked(part) : uncompressed(part)))
            return false;
    }
    return in.ok() && count > 0;
}

} // namespace lk
