// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"
#include "backend/libraries/families/files/layoutfile.h"

namespace lk {

/// A role that keys of a family play.
struct FamilyRole
{
    const char* name;
    std::vector<KeyType> types; ///< the first one where a file names none
    bool required = false;      ///< a file without it is refused
    bool alone = false;         ///< KeyRule::alone unless the file says otherwise
};

/// A line of a layout file's [read] table.
struct FamilySetting
{
    /// What a value has to be, and the type that the family gets it as.
    enum class Shape : quint8 {
        Word,      ///< QByteArray, one of words
        Text,      ///< QByteArray
        Texts,     ///< QByteArrayList
        Count,     ///< qint64
        Duration,  ///< qint64, milliseconds
        Flag,      ///< bool
        Durations, ///< QByteArrayList, each as "10m"
    };
    const char* name;
    Shape shape = Shape::Text;
    std::vector<const char*> words = {};
};

/// An algorithm or protocol: what layout files may say of it, and how a layout is made of one.
struct Family
{
    const char* id;
    Kind kind;
    std::vector<FamilyRole> roles; ///< the main key's first
    std::vector<FamilySetting> settings = {};
    std::vector<const char*> windowRules = {}; ///< words for [window] rule
    std::unique_ptr<const Layout> (*make)(LayoutFilePtr file) = nullptr;
    bool wakes = false; ///< files may have [wake_up]
};

/// Every family there is, in the order of the list in families.cpp.
const std::vector<Family>& allFamilies();
/// Null if there is none.
const Family* findFamily(const QByteArray& id);

} // namespace lk
