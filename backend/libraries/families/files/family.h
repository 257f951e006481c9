// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"
#include "backend/libraries/families/files/layoutfile.h"

namespace lk {

/// A role of keys in a family.
struct FamilyRole
{
    const char* name;
    std::vector<KeyType> types; ///< the first one is the default
    bool required = false;      ///< files without it are refused
    bool alone = false;         ///< KeyRule::alone unless the file says otherwise
    bool several = false;       ///< files may give it to several keys, each with its own name
};

/// A line of a layout file's [read] table.
struct FamilySetting
{
    /// The form of a value, and the type in which the family gets it.
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

/// An algorithm or protocol: the content of its layout files, and how it makes a layout from one.
struct Family
{
    const char* id;
    Kind kind;
    std::vector<FamilyRole> roles; ///< the main key's first
    std::vector<FamilySetting> settings = {};
    std::vector<const char*> windowRules = {}; ///< words for [window] rule
    std::unique_ptr<const Layout> (*make)(LayoutFilePtr file) = nullptr;
    bool wakes = false; ///< true if files may have [wake_up]
    bool jobs = false;  ///< true if files may name the keys' roles and the states of their jobs
};

/// All families, in the order of the list in families.cpp.
const std::vector<Family>& allFamilies();
/// The family with this id, or null.
const Family* findFamily(const QByteArray& id);

} // namespace lk
