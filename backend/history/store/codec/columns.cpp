// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/codec/columns.h"

#include <zlib.h>

namespace lk {

namespace {

constexpr quint64 columnsMostBytes = 64ULL * 1024 * 1024;
constexpr quint64 mostRatio = 1100; // zlib expands one byte to at most about a thousand
// zlib's window size; negative: without header and checksum. The window is small if it is not
// searched.
constexpr int rawDeflate = -15;
constexpr int rawHuffman = -9;
constexpr int memoryLevel = 8;
constexpr int fast = 1; // a higher level takes three times as long and saves a tenth

QByteArray deflated(const QByteArray& bytes, ColumnOf of)
{
    z_stream stream{};
    const bool numbers = of == ColumnOf::Numbers;
    if (::deflateInit2(&stream, fast, Z_DEFLATED, numbers ? rawHuffman : rawDeflate, memoryLevel,
                       numbers ? Z_HUFFMAN_ONLY : Z_DEFAULT_STRATEGY) != Z_OK)
        return {};
    QByteArray out(qsizetype(::deflateBound(&stream, uLong(bytes.size()))), Qt::Uninitialized);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.constData()));
    stream.avail_in = uInt(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = uInt(out.size());
    const bool done = ::deflate(&stream, Z_FINISH) == Z_STREAM_END;
    out.resize(done ? qsizetype(stream.total_out) : 0);
    ::deflateEnd(&stream);
    return out;
}

QByteArray inflated(QByteArrayView packed, quint64 size)
{
    if (size > columnsMostBytes || size / mostRatio > quint64(packed.size()))
        return {};
    z_stream stream{};
    if (::inflateInit2(&stream, rawDeflate) != Z_OK)
        return {};
    QByteArray bytes(qsizetype(size), Qt::Uninitialized);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = uInt(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_out = uInt(size);
    const bool done = ::inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.total_out == size;
    ::inflateEnd(&stream);
    return done ? bytes : QByteArray();
}

} // namespace

// Writes the size, then the compressed size, 0 if it is not compressed.
void writeColumn(ByteWriter& out, const QByteArray& column, ColumnOf of)
{
    out.number(quint64(column.size()));
    if (column.isEmpty())
        return;
    const QByteArray packed = deflated(column, of);
    const bool shorter = !packed.isEmpty() && packed.size() < column.size();
    out.number(shorter ? quint64(packed.size()) : 0);
    out.bytes(shorter ? packed : column);
}

QByteArray readColumn(ByteReader& in)
{
    const quint64 size = in.number();
    if (size == 0)
        return {};
    const quint64 packed = in.number();
    const QByteArrayView bytes = in.view(packed > 0 ? packed : size);
    QByteArray column = packed > 0 ? inflated(bytes, size) : bytes.toByteArray();
    if (quint64(column.size()) != size)
        in.fail();
    return in.ok() ? column : QByteArray();
}

} // namespace lk
