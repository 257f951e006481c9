// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/families/files/family.h"
#include "backend/libraries/families/files/fileclaims.h"

namespace lk {

/// A layout that a file describes. The file defines names, claims and companions. The family, which
/// may derive from Base, defines how the keys are read.
template<typename Base> class FileLayoutOf : public Base, public KeyHints, public SiblingKeys
{
public:
    explicit FileLayoutOf(LayoutFilePtr file)
        : m_claims(std::move(file))
    {}

    const LayoutFile& file() const { return m_claims.file(); }

    QByteArray id() const override { return file().id; }
    QString title() const override { return file().title; }
    Kind kind() const override { return file().kind; }
    LayoutOrigin origin() const override { return m_claims.origin(); }
    bool wants(KeyType type) const override { return m_claims.wants(type); }
    std::vector<QByteArray> nameParts(KeyType type) const override
    {
        return m_claims.nameParts(type);
    }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        return m_claims.siblings(name, type);
    }
    std::optional<std::vector<QByteArray>> siblingsOf(const Probe& probe) const override
    {
        return m_claims.siblingsOf(probe, proof());
    }
    bool hasSiblings(KeyType type) const override { return m_claims.hasSiblings(type); }
    std::vector<QByteArray> hashFields() const override { return m_claims.hashFields(); }
    std::optional<Claim> classify(const Probe& probe) const override
    {
        return m_claims.claim(probe, proof());
    }
    Claim declared(const Declaration& declaration, const QByteArray& name) const override
    {
        return m_claims.declared(Base::declared(declaration, name), declaration, name);
    }
    QByteArray mainRole() const override { return file().keys.front().role; }
    KeyType mainType() const override { return file().keys.front().type; }

protected:
    const FileClaims& claims() const { return m_claims; }
    NameValues valuesOf(const Primitive& primitive) const { return m_claims.valuesOf(primitive); }
    /// Checks beyond those in the file. The probe is of a key that matches the rule.
    virtual bool proves(const KeyRule&, const NameValues&, const Probe&) const { return true; }

private:
    FileClaims::Proof proof() const
    {
        return [this](const KeyRule& rule, const NameValues& values, const Probe& probe) {
            return proves(rule, values, probe);
        };
    }

    FileClaims m_claims;
};

using FileLayout = FileLayoutOf<PlannedLayout>;

} // namespace lk
