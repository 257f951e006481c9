// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMetaType>
#include <QString>

#include <array>

namespace lk {

/// The purpose of a primitive. Pattern is everything that is none of the other four.
enum class Kind : quint8 { Limiter, Lock, Queue, Token, Pattern };
inline constexpr std::array allKinds{Kind::Limiter, Kind::Lock, Kind::Queue, Kind::Token,
                                     Kind::Pattern};

/// "limiter", "lock", ...: as in the configuration file. Not translated.
QByteArray kindId(Kind kind);

/// Redis's own types, as TYPE names them.
enum class KeyType : quint8 { None, String, List, Set, ZSet, Hash, Stream, Other };
KeyType keyTypeFromName(const QByteArray& name);
QByteArray keyTypeName(KeyType type);

/// Where a number comes from. The interface says so beside the number.
enum class Source : quint8 {
    Unknown,  ///< not stored, declared or inferable: the number is absent
    Inferred, ///< computed from observations; may be wrong
    Declared, ///< from the operator's configuration file
    Stored,   ///< stored in Redis by the library itself
};
QByteArray sourceId(Source source);

/// The health of a primitive, from harmless to worst. Boards sort by it, worst first.
enum class Health : quint8 { Idle, Ok, Warning, Error };

} // namespace lk

Q_DECLARE_METATYPE(lk::Kind)
Q_DECLARE_METATYPE(lk::Health)
