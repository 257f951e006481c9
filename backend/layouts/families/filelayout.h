// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/layouts/families/family.h"
#include "backend/layouts/plannedlayout.h"
#include "backend/layouts/probe/keyhints.h"
#include "backend/layouts/probe/siblingkeys.h"

namespace lk {

/// A layout that a file describes: what all families share. Names, claims and companions are the
/// file's; how the keys are read is the family's.
class FileLayout : public PlannedLayout, public KeyHints, public SiblingKeys
{
public:
    explicit FileLayout(LayoutFilePtr file);

    const LayoutFile& file() const { return *m_file; }

    QByteArray id() const override { return m_file->id; }
    QString title() const override { return m_file->title; }
    Kind kind() const override { return m_file->kind; }
    LayoutOrigin origin() const override;
    bool wants(KeyType type) const override;
    std::vector<QByteArray> nameParts(KeyType type) const override;
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override;
    std::optional<std::vector<QByteArray>> siblingsOf(const Probe& probe) const override;
    bool hasSiblings(KeyType type) const override;
    std::vector<QByteArray> hashFields() const override;
    std::optional<Claim> classify(const Probe& probe) const override;
    Claim declared(const Declaration& declaration, const QByteArray& name) const override;
    QByteArray mainRole() const override { return m_file->keys.front().role; }
    KeyType mainType() const override { return m_file->keys.front().type; }

protected:
    /// What the main key's name says. Empty for a declared key whose name is none of the patterns.
    NameValues valuesOf(const Primitive& primitive) const;
    /// The main key's name with these values.
    QByteArray mainKeyFor(const NameValues& values, const QByteArray& otherwise) const;
    /// Proof beyond what the file asks; probe is a key of that role.
    virtual bool proves(const KeyRule& rule, const NameValues& values, const Probe& probe) const;

private:
    template<typename May, typename MayBe>
    std::vector<QByteArray> besides(const QByteArray& name, KeyType type, const May& may,
                                    const MayBe& mayBe) const;
    Claim claimOf(const KeyRule& rule, const NameValues& values, const Probe& probe,
                  const QByteArray& mainKey) const;

    LayoutFilePtr m_file;
};

/// Whether a probed key holds what the rule asks of it.
bool holdsProof(const KeyRule& rule, const Probe& probe);

} // namespace lk
