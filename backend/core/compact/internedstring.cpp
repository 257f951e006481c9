// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/compact/internedstring.h"

#include <array>
#include <mutex>
#include <unordered_set>

namespace lk {

namespace {

constexpr qsizetype longest = 48;
constexpr size_t most = 4096; // limit: layouts and roles made up by users must not grow it forever

struct ByText
{
    size_t operator()(const QByteArray& text) const { return qHash(text, 0); }
};

// Interned texts are never freed: threads may use them until the program ends.
struct Words
{
    std::mutex mutex;
    std::unordered_set<QByteArray, ByText> all; ///< a node each: it does not move
};

Words& words()
{
    static auto* const kept = new Words;
    return *kept;
}

// Null if the text is not to be shared.
const QByteArray* sharedOf(const QByteArray& text)
{
    Words& known = words();
    const std::lock_guard lock(known.mutex);
    const auto it = known.all.find(text);
    if (it != known.all.end())
        return &*it;
    return known.all.size() < most ? &*known.all.insert(text).first : nullptr;
}

// The slot of a per-thread cache: a scan makes the same few words for every key.
size_t slotOf(const QByteArray& text, size_t count)
{
    const auto size = text.size();
    const auto letter = [&](qsizetype at) { return size_t(quint8(text.at(at))); };
    return (size_t(size) * 31 + letter(0) * 7 + letter(size / 2) * 3 + letter(size - 1)) % count;
}

} // namespace

quintptr InternedString::bitsOf(const QByteArray& text)
{
    if (text.isEmpty())
        return 0;
    if (text.size() <= longest && !text.contains(':')) {
        static thread_local std::array<const QByteArray*, 256> latest{};
        const QByteArray*& place = latest[slotOf(text, latest.size())];
        if (!place || *place != text) {
            const QByteArray* shared = sharedOf(text);
            if (!shared)
                return quintptr(new QByteArray(text)) | own;
            place = shared;
        }
        return quintptr(place);
    }
    return quintptr(new QByteArray(text)) | own;
}

const QByteArray& InternedString::none()
{
    static const QByteArray empty;
    return empty;
}

} // namespace lk
